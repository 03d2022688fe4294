// CSV, read back by a parser written from RFC 4180 and by Python's csv module.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noPython, readCsvWithPython, readCsv } from '../../test/support/csv.ts';
import { csvBom, CachedCsvCells, formatCsvChunks, formatCsvRow, type CsvCell, type CsvRowPart } from './csv.ts';

/** The text of one cell, read back. */
const written = (cell: CsvCell): string | undefined => readCsv(formatCsvRow([cell]))[0]?.[0];

test('[account.57] every cell is quoted, cells are parted by commas, rows end with CRLF', () => {
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

test('[account.57] a text that could be a formula gets a leading apostrophe', () => {
  const formulas = [
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
    '\r=1',
    '="a""b"',
  ];
  for (const text of formulas) assert.equal(written(text), `'${text}`, text);
});

test('[account.57] a number, and any text that is none of a formula, stays as it is', () => {
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
    ' =1',
    'a=1',
    'Vask 60°',
    '\n=1',
    '洗濯',
    '𝄞',
  ];
  for (const text of harmless) assert.equal(written(text), text, text);
  for (const number of [-5, -5n, -(2n ** 63n), -0.5]) assert.equal(written(number), String(number));
});

test('[account.57] rows in chunks are the rows, none of them cut, and no chunk is large', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 5000 }), { maxLength: 60, size: 'max' }), (lengths) => {
      const rows = lengths.map((length, at) => [at, 'ø'.repeat(length)]);
      const chunks = [...formatCsvChunks(rows)];
      assert.equal(chunks.join(''), rows.map(formatCsvRow).join(''));
      for (const chunk of chunks) assert.ok(chunk.endsWith('"\r\n') && chunk.length < 71_000);
    }),
  );
});

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', '=', '-', "'", '\t', ' ', '7', 'ø', '\u0000', '\uFEFF') }),
);
const anyCell: fc.Arbitrary<CsvCell> = fc.oneof(
  { weight: 4, arbitrary: anyText },
  { weight: 1, arbitrary: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }) },
  { weight: 1, arbitrary: fc.constantFrom(null, undefined, true, 0, -1) },
);
const anyRows = fc.array(fc.array(anyCell, { minLength: 1, maxLength: 6 }), { maxLength: 8 });

/** What a reader finds: the text itself, with an apostrophe in front or not. */
function assertReadBack(rows: readonly (readonly CsvCell[])[], read: readonly (readonly string[])[]): void {
  assert.equal(read.length, rows.length);
  for (const [at, cells] of rows.entries()) {
    const wanted = cells.map((cell) => String(cell ?? ''));
    const found = (read[at] ?? []).map((text, column) => {
      const guarded = typeof cells[column] === 'string' && text === `'${wanted[column]}`;
      return guarded && /^[=+\-@\t\r]/.test(wanted[column] ?? '') ? text.slice(1) : text;
    });
    assert.deepEqual(found, wanted);
  }
}

test('[account.57] whatever is written comes back from a reader that knows RFC 4180 alone', () => {
  fc.assert(
    fc.property(anyRows, (rows) => {
      assertReadBack(rows, readCsv(rows.map(formatCsvRow).join('')));
    }),
    { numRuns: 500 },
  );
});

test('[account.57] no cell comes back as something that a spreadsheet runs', () => {
  fc.assert(
    fc.property(fc.constantFrom('=', '+', '-', '@', '\t', '\r'), anyText, (start, rest) => {
      const text = written(start + rest) ?? '';
      assert.ok(text.startsWith("'") || Number.isFinite(Number(text)), JSON.stringify(text));
    }),
    { numRuns: 500 },
  );
});

test('[account.57] Python’s csv module reads the same', { skip: noPython }, () => {
  const rows = fc.sample(anyRows, { numRuns: 60, seed: 3 }).flat();
  const plain = rows.map((cells) => cells.map((cell) => (typeof cell === 'string' ? cell.replaceAll('\0', '') : cell)));
  assertReadBack(plain, readCsvWithPython(Buffer.from(csvBom + plain.map(formatCsvRow).join(''))));
});

test('[account.57] cells that were put side by side are written as each of them alone', () => {
  const cell = fc.oneof(
    fc.string(),
    fc.constantFrom('=1', '"', '-5', null, undefined, true),
    fc.integer(),
    fc.bigInt(),
  );
  const groups = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(groups, fc.array(fc.boolean()), (some, together) => {
      const parts = some.flatMap<CsvRowPart>((cells, at) =>
        together[at] === true ? new CachedCsvCells(cells) : cells,
      );
      const wanted = formatCsvRow(some.flat());
      assert.equal(formatCsvRow(parts), wanted);
      assert.equal(formatCsvRow(parts), wanted, 'once more, from what is remembered');
    }),
  );
});
