// CSV, against the package csv-parse where files are sound, and against tables where they are broken.

import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CsvRowReader, type CsvRow } from './csv-reader.ts';
import type { CsvSeparator } from './csv-scanner.ts';
import { maxRowLength } from './source-row.ts';

function read(text: string, separator: CsvSeparator = ';', blockLength = 100_000): CsvRow[] {
  const reader = new CsvRowReader(separator);
  const rows: CsvRow[] = [];
  for (let index = 0; index < text.length; index += blockLength)
    rows.push(...reader.read(text.slice(index, index + blockLength)));
  return [...rows, ...reader.end()];
}

/** `line: cells` or `line: code of the problem`. */
const show = (rows: readonly CsvRow[]): string[] =>
  rows.map((row) => `${row.line}: ${'problem' in row ? row.problem.code : JSON.stringify(row.cells)}`);

test('rows are read wherever blocks end, with the line at which each begins', () => {
  const cases: [string, string[]][] = [
    ['', []],
    ['a;b', ['1: ["a","b"]']],
    ['a;b\n', ['1: ["a","b"]']],
    ['a;\n;b\n', ['1: ["a",""]', '2: ["","b"]']],
    ['a\r\nb\rc\nd', ['1: ["a"]', '2: ["b"]', '3: ["c"]', '4: ["d"]']],
    ['a\r\rb\r', ['1: ["a"]', '3: ["b"]']],
    ['a\n\n\n;;\nb\n\n\n', ['1: ["a"]', '5: ["b"]']],
    ['""\n', ['1: [""]']],
    ['"a";"b;""c"""\n', ['1: ["a","b;\\"c\\""]']],
    ['"two\r\nlines";"3\r\r"\r\nb', ['1: ["two\\r\\nlines","3\\r\\r"]', '5: ["b"]']],
    ['5" screen;a "b"\nc', ['1: ["5\\" screen","a \\"b\\""]', '2: ["c"]']],
  ];
  for (const [text, rows] of cases)
    for (const blockLength of [1, 2, 3, 1000]) assert.deepEqual(show(read(text, ';', blockLength)), rows, text);
});

test('a quote that does not end is named by the line where it began, and the next line is read', () => {
  const text = 'a;b\n1;2\n"x\ny";"open\n5;6\n7;8\n';
  for (const blockLength of [1, 2, 3, 1000]) {
    const rows = read(text, ';', blockLength);
    assert.deepEqual(show(rows), [
      '1: ["a","b"]',
      '2: ["1","2"]',
      '3: unterminated-quote',
      '5: ["5","6"]',
      '6: ["7","8"]',
    ]);
    const [, , broken] = rows;
    assert.match(
      broken !== undefined && 'problem' in broken ? broken.problem.text : '',
      /begins at line 4 does not end/,
    );
  }
});

test('text after a closing quote breaks only its row', () => {
  for (const blockLength of [1, 2, 1000])
    assert.deepEqual(show(read('a\n"1"x;2\n3;4', ';', blockLength)), [
      '1: ["a"]',
      '2: text-after-quote',
      '3: ["3","4"]',
    ]);
});

test('a line of 10 MB is a problem of one row, and is not held', () => {
  const long = 'x'.repeat(10_000_000);
  for (const [line, code] of [
    [long, 'row-too-long'],
    [`"${long}`, 'row-too-long'],
    [`"a\n";${long}`, 'row-too-long'],
    [`"${long}";b`, 'row-too-long'],
  ] as const) {
    const breaks = line.includes('\n') ? 1 : 0;
    for (const end of ['\n', '\r', '\r\n'])
      assert.deepEqual(show(read(`a;b${end}${line}${end}c;d`, ';', 65_536)), [
        '1: ["a","b"]',
        `2: ${code}`,
        `${3 + breaks}: ["c","d"]`,
      ]);
  }
});

test('the limits are the longest row and the most columns that are read', () => {
  const most = 'x'.repeat(maxRowLength - 1);
  assert.deepEqual(show(read(`${most}\na`)), [`1: ["${most}"]`, '2: ["a"]']);
  assert.deepEqual(show(read(`${most}xx\na`)), ['1: row-too-long', '2: ["a"]']);
  assert.deepEqual(show(read(`${'a;'.repeat(200)}\nb`)), ['1: too-many-columns', '2: ["b"]']);
  assert.equal(show(read('a;'.repeat(199)))[0]?.startsWith('1: ['), true);
});

test('a quote that is open for longer than a row may be costs only its line', () => {
  const text = `a\n"b\n${'c\n'.repeat(40_000)}`;
  const rows = show(read(text, ';', 65_536));
  assert.deepEqual(rows.slice(0, 3), ['1: ["a"]', '2: unterminated-quote', '3: ["c"]']);
  assert.equal(rows.length, 40_002);
});

test('a NUL character breaks its row', () => {
  assert.deepEqual(show(read('a\nb\0;c\nd')), ['1: ["a"]', '2: nul-character', '3: ["d"]']);
});

const cell = fc.string({
  unit: fc.constantFrom('a', 'æ', '1', ' ', '"', ';', ',', '\t', '\n', '\r', "'", '\u{1F600}'),
  maxLength: 8,
});

test('sound files are read as the package csv-parse reads them, whatever the blocks', () => {
  const rows = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 8 });
  const separators = fc.constantFrom<CsvSeparator>(';', ',', '\t');
  fc.assert(
    fc.property(rows, separators, fc.constantFrom('\n', '\r\n', '\r'), fc.nat(9), (table, separator, end, size) => {
      const text = table
        .map((cells) => cells.map((each) => `"${each.replaceAll('"', '""')}"`).join(separator) + end)
        .join('');
      const expected = parse(text, { delimiter: separator, record_delimiter: end, relax_column_count: true });
      const found = read(text, separator, size + 1).map((row) => ('cells' in row ? row.cells : row.problem));
      assert.deepEqual(found, expected);
      assert.deepEqual(found, table);
    }),
    { numRuns: 500 },
  );
});

test('any text is read without an exception, and its rows begin at rising lines', () => {
  fc.assert(
    fc.property(fc.array(cell, { maxLength: 20 }), fc.nat(9), (texts, size) => {
      const text = texts.join('');
      const rows = read(text, ';', size + 1);
      assert.deepEqual(rows, read(text));
      for (const [index, { line }] of rows.entries()) assert.ok(line > (rows[index - 1]?.line ?? 0), text);
      assert.ok((rows.at(-1)?.line ?? 0) <= text.split(/\r\n|\r|\n/).length, text);
    }),
    { numRuns: 1000 },
  );
});
