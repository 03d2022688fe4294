// CSV, read back by a parser written from RFC 4180, by the package csv-parse, and as spreadsheets split it.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { couldBeFormula, guardText, parseCsv, readCsv, splitLikeSpreadsheet } from '../../../test/support/csv.ts';
import {
  csvBom,
  CachedCsvCells,
  formatCsvChunks,
  formatCsvRow,
  unguardFormulas,
  type CsvCell,
  type CsvRowPart,
} from './csv.ts';

/** The text of one cell, read back. */
const written = (cell: CsvCell): string | undefined => readCsv(formatCsvRow([cell]))[0]?.[0];

test('[account.57] every cell is quoted, cells are separated by commas, and rows end with CRLF', () => {
  assert.equal(formatCsvRow(['kid', 7, -3n, true]), '"kid","7","-3","true"\r\n');
  assert.equal(formatCsvRow(['a "b", c', 'two\nlines']), '"a ""b"", c","two\nlines"\r\n');
  assert.equal(formatCsvRow(['']), '""\r\n');
  assert.equal(formatCsvRow([]), '""\r\n');
});

test('[account.57] the byte order mark is the three bytes of UTF-8', () => {
  assert.deepEqual([...Buffer.from(csvBom)], [0xef, 0xbb, 0xbf]);
});

test('[account.57] missing, null and empty cells are the same', () => {
  assert.equal(formatCsvRow([undefined, null, '']), '"","",""\r\n');
});

test('[account.57] a text that could be a formula gets a leading apostrophe, also after invisible characters', () => {
  const formulas = [
    '\u200B=1+1',
    '\uFEFF=1+1',
    '\u2060\u200D\u00AD@SUM(A1)',
    '\u202E-1+1',
    '\u3164=1',
    '\uFE0F+1-1',
    '\u{E0001}=1',
    ' =1',
    '\u00A0\u3000=1',
    '\u0000=1',
    '\u200B-5',
    '＝1+1',
    '＋1',
    '－1',
    '＠SUM(A1)',
    '\uFEFF＝1',
    '﹦1',
    '⩵1',
    '=1+1',
    '=',
    "=cmd|' /C calc'!A0",
    '@SUM(A1)',
    '+SUM(A1)',
    '+45 12 34 56 78',
    '+1-1',
    '-',
    '+',
    '--1',
    '-1-1',
    '- 5',
    '-5 ',
    '-5\n',
    '-1,000',
    '-1.000,5',
    '-5.',
    '-0x1f',
    '-1e',
    '-Infinity',
    '-NaN',
    '-٣',
    '\tx',
    '\t1',
    '\rx',
    '="a""b"',
  ];
  for (const text of formulas) assert.equal(written(text), `'${text}`, text);
});

test('[account.57] numbers, and texts that cannot be a formula, stay as they are', () => {
  const harmless = [
    '-5',
    '+5',
    '-5.25',
    '+4512345678',
    '-9223372036854775808',
    '-.5',
    '-1e9',
    '+1E-7',
    '0123',
    '1+1',
    "'=1",
    'a=1',
    'a -1',
    'Vask 60°',
    'Vask; 60°',
    'Vask\n60°',
    ' Vask',
    '\u200B',
    '“=1”',
    '·=1',
    'a;b=1',
    '洗濯',
    '𝄞',
  ];
  for (const text of harmless) assert.equal(written(text), text, text);
  for (const number of [-5, -5n, -(2n ** 63n), -0.5]) assert.equal(written(number), String(number));
});

test('[account.57] a formula after a separator or a line break inside of a cell gets an apostrophe', () => {
  for (const [text, wanted] of [
    ['a;=1', "a;'=1"],
    ['a; =1', "a; '=1"],
    ['a;;=1;+2', "a;;'=1;'+2"],
    ['a;-5', "a;'-5"],
    ['a;"=1', 'a;"\'=1'],
    ['a;\uFEFF＝1', "a;\uFEFF'＝1"],
    ['a\t=1', "a\t'=1"],
    ['a\n=1', "a\n'=1"],
    ['a\r\n@x', "a\r\n'@x"],
    ['\n=1', "'\n'=1"],
    ['\r=1', "'\r'=1"],
    ['=1;=2', "'=1;'=2"],
    [';=1', ";'=1"],
  ] as const)
    assert.equal(written(text), wanted, JSON.stringify(text));
});

test('[account.57] a formula begins with every character that Unicode maps to one that begins it, also after invisible characters', () => {
  for (let code = 0; code < 0x1_0000; code += code === 0xd7ff ? 0x801 : 1)
    for (const rest of ['1+1', '=1', ';=1']) {
      const text = String.fromCharCode(code) + rest;
      assert.equal(written(text), guardText(text), `U+${code.toString(16)} ${rest}`);
    }
});

test('[account.57] a long text is checked in one pass', () => {
  const startedAt = performance.now();
  for (const part of ['\n', ';', '\u200B', ';"', ' \t']) formatCsvRow([part.repeat(100_000)]);
  assert.ok(performance.now() - startedAt < 2000);
});

test('[account.57] rows in chunks are the rows, none of them cut, and no chunk is large', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 5000 }), { maxLength: 60, size: 'max' }), (lengths) => {
      const rows = lengths.map((length, index) => [index, 'ø'.repeat(length)]);
      const chunks = [...formatCsvChunks(rows)];
      assert.equal(chunks.join(''), rows.map(formatCsvRow).join(''));
      for (const chunk of chunks) assert.ok(chunk.endsWith('"\r\n') && chunk.length < 71_000);
    }),
  );
});

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', '=', '-', "'", '\t', ' ', '7', 'ø', '\u0000', '\uFEFF') }),
  fc.string({ unit: fc.constantFrom('"', ',', ';', '\t', '\n', '=', '＋', '7', 'x', ' ', '\u200B', '\u3164') }),
);
const anyCell: fc.Arbitrary<CsvCell> = fc.oneof(
  { weight: 4, arbitrary: anyText },
  { weight: 1, arbitrary: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }) },
  { weight: 1, arbitrary: fc.constantFrom(null, undefined, true, 0, -1) },
);
const anyRows = fc.array(fc.array(anyCell, { minLength: 1, maxLength: 6 }), { maxLength: 8 });

/** What a reader finds: the text itself, guarded. */
function assertReadBack(rows: readonly (readonly CsvCell[])[], read: readonly (readonly string[])[]): void {
  assert.equal(read.length, rows.length);
  for (const [index, cells] of rows.entries()) {
    const wanted = cells.map((cell) => (typeof cell === 'string' ? guardText(cell) : String(cell ?? '')));
    assert.deepEqual(read[index], wanted);
  }
}

test('[account.57] a reader that knows only RFC 4180 reads back whatever is written', () => {
  fc.assert(
    fc.property(anyRows, (rows) => {
      assertReadBack(rows, readCsv(rows.map(formatCsvRow).join('')));
    }),
    { numRuns: 500 },
  );
});

test('[account.57] no spreadsheet finds a formula, whether it separates cells by commas, semicolons or tabs', () => {
  // The first column of every file is a KID or a name of the service's own.
  const rows = fc.array(fc.array(anyCell, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 8 });
  let separated = 0;
  fc.assert(
    fc.property(rows, fc.constantFrom(',', ';', '\t'), (cells, separator) => {
      const file = cells.map((row) => formatCsvRow(['sund-B1001-X1', ...row])).join('');
      const found = splitLikeSpreadsheet(file, separator);
      for (const cell of found) assert.ok(!couldBeFormula(cell), JSON.stringify([cell, file]));
      if (separator !== ',' && found.length > cells.length) separated += 1;
    }),
    { numRuns: 3000 },
  );
  assert.ok(separated > 500, `${separated} files had cells in other places than they were written`);
});

test('[account.57] another parser reads the same', () => {
  const rows = fc.sample(anyRows, { numRuns: 60, seed: 3 }).flat();
  const plain = rows.map((cells) => cells.map((cell) => (typeof cell === 'string' ? cell.replaceAll('\0', '') : cell)));
  assertReadBack(plain, parseCsv(Buffer.from(csvBom + plain.map(formatCsvRow).join(''))));
});

test('[account.57] cells that were joined beforehand are written as each of them is by itself', () => {
  const cell = fc.oneof(
    fc.string(),
    fc.constantFrom('=1', '"', '-5', null, undefined, true),
    fc.integer(),
    fc.bigInt(),
  );
  const groups = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(groups, fc.array(fc.boolean()), (some, together) => {
      const parts = some.flatMap<CsvRowPart>((cells, index) =>
        together[index] === true ? new CachedCsvCells(cells) : cells,
      );
      const wanted = formatCsvRow(some.flat());
      assert.equal(formatCsvRow(parts), wanted);
      assert.equal(formatCsvRow(parts), wanted, 'once more, from what is remembered');
    }),
  );
});

test('a text that was guarded is found again, unless it had such apostrophes itself', () => {
  const cases: [string, string][] = [
    ["'=1+1", '=1+1'],
    ["'\tx", '\tx'],
    ["'\u200B=1", '\u200B=1'],
    ["a;'=1", 'a;=1'],
    ["'=a\n\"'-b;'+c", '=a\n"-b;+c'],
    ["'+45 12 34 56 78", '+45 12 34 56 78'],
    // Nothing was guarded here: these are numbers, or no formulas.
    ["'-5", "'-5"],
    ["'abc", "'abc"],
    ["it's", "it's"],
    ["''=1", "''=1"],
    ["'", "'"],
  ];
  for (const [guarded, text] of cases) assert.equal(unguardFormulas(guarded), text, guarded);

  const unit = fc.constantFrom(...Array.from('\'=+-@;\t\r\n"\u200B 1.ea\uFF1D,'));
  const texts = fc.oneof(fc.string({ unit, maxLength: 12 }), fc.string({ unit: 'binary' }));
  fc.assert(
    fc.property(texts, (text) => {
      const guarded = readCsv(formatCsvRow([text]))[0]?.[0] ?? '';
      const found = unguardFormulas(guarded);
      // Whatever it is, it is written as the same cell.
      assert.equal(guardText(found), guarded);
      if (!/(?:^|[;\t\r\n])["\s\p{Cc}\p{Cf}]*'/u.test(text)) assert.equal(found, text);
    }),
    { numRuns: 5000 },
  );
});
