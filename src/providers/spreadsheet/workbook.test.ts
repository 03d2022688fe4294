// Workbooks, read by two readers that share no code with the writer.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WASMagic, WASMagicFlags } from 'wasmagic';
import {
  noXls2csv,
  readXls,
  readXlsLayout,
  readXlsWithCatdoc,
  type ReadCell,
} from '../../../test/support/spreadsheets.ts';
import type { Cell } from './cells.ts';
import { Workbook } from './workbook.ts';

function fileOf(columns: readonly string[], rows: readonly (readonly Cell[])[]): Buffer {
  const workbook = new Workbook({ name: 'Account', columns });
  workbook.add(rows);
  return Buffer.concat(workbook.finish());
}

const namesOf = (count: number): string[] => Array.from({ length: count }, (_, column) => `column${column}`);

/** The cells below the row of names. */
const readBack = (rows: readonly (readonly Cell[])[]): (ReadCell | undefined)[][] =>
  readXls(fileOf(namesOf(Math.max(1, ...rows.map(({ length }) => length))), rows)).rows.slice(1);

const text = (value: string): ReadCell => ({ type: 'text', value });
const number = (value: number): ReadCell => ({ type: 'number', value });

/** As the format has it. */
const maxRows = 65_536;

test('[account.57] a workbook has one sheet, with the names in its first row', () => {
  const { name, rows } = readXls(fileOf(['kid', 'amountMinor'], [['sund-B1001-X1', -100n]]));
  assert.equal(name, 'Account');
  assert.deepEqual(rows, [
    [text('kid'), text('amountMinor')],
    [text('sund-B1001-X1'), number(-100)],
  ]);
});

test('[account.57] texts are stored as strings, whatever they look like', () => {
  const texts = ['=1+1', '@SUM(A1)', '+45 12', '-5', '007', '1e3', '12', 'TRUE', "'x", 'Tørring ✓', '洗濯', '𝄞', '\tx'];
  assert.deepEqual(
    readBack(texts.map((each) => [each])),
    texts.map((each) => [text(each)]),
  );
});

test('[account.57] numbers of up to 15 digits are numbers, longer ones are texts with every digit', () => {
  const numbers: [Cell, ReadCell][] = [
    [0, number(0)],
    [-1n, number(-1)],
    [12.5, number(12.5)],
    [847_753_199_057, number(847_753_199_057)],
    [999_999_999_999_999n, number(999_999_999_999_999)],
    [-999_999_999_999_999n, number(-999_999_999_999_999)],
    [1_000_000_000_000_000n, text('1000000000000000')],
    [-1_000_000_000_000_000, text('-1000000000000000')],
    [2n ** 63n - 1n, text('9223372036854775807')],
    [-(2n ** 63n), text('-9223372036854775808')],
    [1e21, text('1e+21')],
  ];
  assert.deepEqual(
    readBack(numbers.map(([cell]) => [cell])),
    numbers.map(([, read]) => [read]),
  );
});

test('[account.57] null and an empty text both give no cell', () => {
  assert.deepEqual(readBack([[null, '', 'x', false]]), [[undefined, undefined, text('x'), text('false')]]);
});

// Around the length of a record, with narrow and wide characters: a text is cut between two characters and continued.
const lengths = fc.oneof(
  fc.integer({ min: 0, max: 40 }),
  fc.constantFrom(4109, 4110, 4111, 8219, 8220, 8221, 8222, 8223, 8224),
  fc.constantFrom(12_000, 16_384, 16_441, 16_442, 16_443, 32_767),
);
const anyText = fc
  .tuple(lengths, fc.constantFrom('a', 'ø', '✓', 'aø✓', 'ab'), fc.nat())
  .map(([length, unit, salt]) => `${salt}${unit.repeat(length)}`.slice(0, length));

test('[account.57] texts of any length and number are read back completely', () => {
  fc.assert(
    fc.property(fc.array(anyText, { minLength: 1, maxLength: 30, size: 'max' }), (texts) => {
      const read = readBack(texts.map((each) => ['x', each]));
      for (const [index, each] of texts.entries())
        assert.deepEqual(read[index]?.[1], each === '' ? undefined : text(each));
    }),
    { numRuns: 40 },
  );
});

test('[account.57] columns are as wide as their texts, up to a limit, and the sheet fits the width of a page in landscape', () => {
  const workbook = new Workbook({
    name: 'Account',
    columns: ['kid', 'amount', 'text', 'at'],
    moneyColumns: ['amount'],
  });
  workbook.add([
    ['x'.repeat(25), -12.5, 'y'.repeat(300), 847_753_199_057],
    ['x', 1200, 'y', 0.5],
  ]);
  const { widths, formats, frozenRows, isLandscape, fitsWidth, pagesWide, pagesHigh } = readXlsLayout(
    Buffer.concat(workbook.finish()),
  );
  assert.deepEqual(widths, [27, 10, 62, 14]);
  assert.deepEqual(formats, [
    ['@', '0.00', '@', '0'],
    ['@', '0.00', '@', 'General'],
  ]);
  assert.deepEqual([frozenRows, isLandscape, fitsWidth, pagesWide, pagesHigh], [1, true, true, 1, 0]);
});

test('a text that no cell can hold is refused, not cut', () => {
  assert.throws(() => fileOf(['a'], [['x'.repeat(32_768)]]), RangeError);
});

test('[account.56] a sheet holds 65,535 rows below its names, and no more', { timeout: 120_000 }, () => {
  const rows = Array.from({ length: maxRows - 1 }, (_, index) => [index, `row ${index}`]);
  const workbook = new Workbook({ name: 'Account', columns: ['number', 'text'] });
  workbook.add(rows);
  assert.throws(() => workbook.add([[1]]), RangeError);
  const read = readXls(Buffer.concat(workbook.finish())).rows;
  assert.equal(read.length, 65_536);
  assert.deepEqual(read.at(-1), [number(65_534), text('row 65534')]);
});

test('[account.57] xls2csv reads the same cells', { skip: noXls2csv }, () => {
  const rows = [
    ['=1+1', -3450, 'Tørring ✓'],
    ['+4512345678', 2n ** 63n - 1n, '洗濯'],
    ['a "quoted", text', 0, 'x'.repeat(9000)],
    ['', 12.5, `${'ø✓'.repeat(5000)}end`],
  ];
  const read = readXlsWithCatdoc(fileOf(['text', 'number', 'more'], rows));
  assert.deepEqual(read, [['text', 'number', 'more'], ...rows.map((row) => row.map(String))]);
});

test('[account.57] a file with more sectors than its header can list is read completely', { skip: noXls2csv }, () => {
  const columns = namesOf(12);
  const rows = Array.from({ length: 40_000 }, (_, index) => columns.map((name) => `${name} ${index}`));
  const file = fileOf(columns, rows);
  // The table has 109 sectors, each with entries for 128 sectors.
  assert.ok(file.length > 109 * 128 * 512, String(file.length));
  const read = readXlsWithCatdoc(file);
  assert.equal(read.length, 40_001);
  for (const at of [0, 1, 12_345, 39_999]) assert.deepEqual(read[at + 1], rows[at]);
});

test('[account.57] the file is what libmagic, and so `file`, calls an Excel workbook', async () => {
  const magic = await WASMagic.create({ flags: WASMagicFlags.NONE });
  assert.match(magic.detect(fileOf(['a'], [['b']])), /Composite Document File V2|CDFV2 Microsoft Excel/);
});
