// JSON Lines and files of fixed width.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFixedWidthLine, type FixedWidthColumn } from './fixed-width-reader.ts';
import { readJsonLine } from './json-lines-reader.ts';
import { LineReader } from './line-reader.ts';
import type { SourceRow } from './source-row.ts';

const readLines = (text: string, blockLength: number) => {
  const reader = new LineReader();
  const lines: ReturnType<LineReader['read']> = [];
  for (let index = 0; index < text.length; index += blockLength)
    lines.push(...reader.read(text.slice(index, index + blockLength)));
  return [...lines, ...reader.end()];
};

const show = (row: SourceRow): unknown => ('problem' in row ? row.problem.code : Object.fromEntries(row.values));

test('lines end with CRLF, LF or CR, and empty ones are left out', () => {
  for (const blockLength of [1, 2, 100])
    assert.deepEqual(
      readLines('a\r\nb\r\rc\n\n\0\nd', blockLength).map((line) =>
        'text' in line ? [line.line, line.text] : line.problem.code,
      ),
      [[1, 'a'], [2, 'b'], [4, 'c'], 'nul-character', [7, 'd']],
    );
  const long = readLines(`a\n${'x'.repeat(10_000_000)}\r\nb`, 65_536);
  assert.deepEqual(
    long.map((line) => ('text' in line ? [line.line, line.text] : line.problem.code)),
    [[1, 'a'], 'row-too-long', [3, 'b']],
  );
});

test('a line of JSON is a flat object whose numbers keep their digits', () => {
  const cases: [string, unknown][] = [
    ['{}', {}],
    [
      ' { "a" : "x\\u00e6\\n" , "b":12345678901234567890.10, "c":true,"d":null } ',
      { a: 'xæ\n', b: '12345678901234567890.10', c: 'true', d: '' },
    ],
    ['{"a":1,"a":2}', 'duplicate-name'],
    ['{"a":1,"\\u0061":2}', 'duplicate-name'],
    ['{"__proto__":1}', 'reserved-name'],
    ['{"a":{}}', 'nested-value'],
    ['{"a":[1]}', 'nested-value'],
    ['{"a":"\\ud800"}', 'lone-surrogate'],
    ['{"\\udc00":"a"}', 'lone-surrogate'],
    ['{"a":"\\u0000"}', 'nul-character'],
    ...[
      '',
      '[]',
      '1',
      '{',
      '{"a"}',
      '{"a":01}',
      '{"a":1,}',
      '{"a":.5}',
      '{"a":1}x',
      "{'a':1}",
      '{"a":"\t"}',
      '{"a":"\\x"}',
      '{"a" 1}',
    ].map((text): [string, unknown] => [text, 'not-json']),
  ];
  for (const [text, expected] of cases) assert.deepEqual(show(readJsonLine({ line: 1, text })), expected, text);
  const names = Array.from({ length: 201 }, (_, index) => `"n${index}":1`);
  assert.equal(show(readJsonLine({ line: 1, text: `{${names.join(',')}}` })), 'too-many-columns');
});

test('what JSON.stringify writes is read back', () => {
  const text = fc.string({ unit: 'grapheme' }).filter((each) => !each.includes('\0'));
  const value = fc.oneof(text, fc.integer(), fc.boolean());
  const name = text.filter((each) => each !== '__proto__');
  fc.assert(
    fc.property(
      fc.dictionary(name, value, { noNullPrototype: true }),
      fc.constantFrom(undefined, 1),
      (object, indent) => {
        const line = JSON.stringify(object, null, indent).replaceAll('\n', '');
        const row = readJsonLine({ line: 1, text: line });
        assert.ok('values' in row, line);
        assert.deepEqual(
          new Map(row.values),
          new Map(Object.entries(object).map(([key, each]) => [key, String(each)])),
        );
      },
    ),
  );
});

test('columns of fixed width are counted in characters, and only a text may be cut short', () => {
  const columns: FixedWidthColumn[] = [
    { key: 'name', start: 2, length: 3, isExact: false },
    { key: 'amount', start: 5, length: 4, isExact: true },
  ];
  const read = (text: string) => show(readFixedWidthLine({ line: 1, text }, columns));
  assert.deepEqual(read('Abcd0123'), { name: 'bcd', amount: '0123' });
  assert.deepEqual(read('A\u{1F600}æ  123xyz'), { name: '\u{1F600}æ', amount: ' 123' });
  assert.deepEqual(read('Aa'), { name: 'a', amount: '' });
  assert.deepEqual(read('Abcd'), { name: 'bcd', amount: '' });
  assert.deepEqual(read('Abcd01'), 'line-too-short');
});
