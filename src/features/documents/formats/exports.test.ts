// Checks JSON, CSV and XLS by reading them with independent parsers.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  couldBeFormula,
  guardText,
  parseCsv,
  readCsv,
  readCsvTable,
  splitLikeSpreadsheet,
} from '../../../../test/support/csv.ts';
import { noXls2csv, readXls, readXlsWithCatdoc } from '../../../../test/support/spreadsheets.ts';
import {
  column,
  createWashingRun,
  headOf,
  samplesOf,
  type Sample,
} from '../../../../test/documents/support/sample-documents.ts';
import { fromMs2000 } from '../../../lib/time/ms2000.ts';
import type { DocumentHead, DocumentSamples } from '../rules/document-table.ts';
import { renderDocument } from './render-document.ts';
import { codePoint } from '../../../../test/support/code-point.ts';

const render = (format: 'json' | 'csv' | 'xls', head: DocumentHead, samples: DocumentSamples): Buffer =>
  Buffer.from(renderDocument(format, head, samples, { width: 1200 }));

const columns = [
  column('Temperature', { label: 'Temperature of the water', unitOfMeasure: 'Cel' }),
  column('Phase', { valueType: 'enum', options: ['Idle', 'CoolDown'] }),
  column('Note', { kind: 'Setting', valueType: 'text' }),
];
const head = headOf(columns);
const start = head.fromMs2000;
const samples = samplesOf([
  [start, 0, '20.50'],
  [start, 1, 'CoolDown'],
  [start + 1, 2, null],
  [start + 1500, 0, 'broken'],
  [start + 1500, 2, ''],
]);

test('[documents.27, documents.28, documents.29, documents.30, documents.32] the JSON table', () => {
  assert.deepEqual(JSON.parse(render('json', head, samples).toString()), {
    documentKid: 'sund-B1001-L1-U2-D5551',
    unitKid: 'sund-B1001-L1-U2',
    unitName: 'Washer 2',
    timeZone: 'Europe/Copenhagen',
    finished: true,
    fromMs2000: start,
    throughMs2000: start + 3_600_000,
    columns: [
      {
        name: 'Temperature',
        kind: 'State',
        label: 'Temperature of the water',
        valueType: 'decimal',
        unitOfMeasure: 'Cel',
      },
      { name: 'Phase', kind: 'State', label: 'Phase', valueType: 'enum', unitOfMeasure: null },
      { name: 'Note', kind: 'Setting', label: 'Note', valueType: 'text', unitOfMeasure: null },
    ],
    rows: [
      {
        ms2000: start,
        utc: '2026-01-15T13:00:00.000Z',
        cells: [{ text: '20.50', value: 20.5 }, { text: 'CoolDown', value: 1 }, null],
      },
      { ms2000: start + 1, utc: '2026-01-15T13:00:00.001Z', cells: [null, null, { text: null, value: null }] },
      {
        ms2000: start + 1500,
        utc: '2026-01-15T13:00:01.500Z',
        cells: [{ text: 'broken', value: null }, null, { text: '', value: null }],
      },
    ],
  });
});

const anyText = fc.oneof(
  fc.string({ unit: codePoint, maxLength: 20 }),
  fc.string({
    unit: fc.constantFrom('\ud800', '\udc00', '"', '\\', '\u2028', '\0', 'a', '=', ';', ',', '\r', '\n', "'", '-'),
  }),
  fc.constantFrom('-12.5', '007', '1e5', '12', '=1+1', '+SUM(A1)', '@x', '\t=2', '-2+3', '12345678901234567890'),
);
const anyDocument = fc
  .uniqueArray(fc.tuple(fc.nat(12), fc.nat(2), fc.option(anyText)), { selector: ([at, index]) => `${at} ${index}` })
  .map((cells) => cells.map(([at, index, text]): Sample => [start + at * 999, index, text]));

/** The texts by row and column; undefined where there is no sample. */
function gridOf(list: readonly Sample[]): { ms2000: number; texts: (string | null | undefined)[] }[] {
  const times = [...new Set(list.map(([ms2000]) => ms2000))].toSorted((a, b) => a - b);
  return times.map((ms2000) => ({
    ms2000,
    texts: columns.map((_, index) => list.find(([at, inColumn]) => at === ms2000 && inColumn === index)?.[2]),
  }));
}

test('[documents.29, documents.31] JSON keeps every text as it is stored, and distinguishes null from no sample', () => {
  fc.assert(
    fc.property(anyDocument, (list) => {
      const { rows } = JSON.parse(render('json', head, samplesOf(list)).toString()) as {
        rows: { ms2000: number; cells: ({ text: string | null } | null)[] }[];
      };
      assert.deepEqual(
        rows.map(({ ms2000, cells }) => ({
          ms2000,
          texts: cells.map((cell) => (cell === null ? undefined : cell.text)),
        })),
        gridOf(list),
      );
    }),
  );
});

test('[documents.38, documents.39, documents.42] CSV has a byte order mark, quotes, commas and CRLF, both times, and names of enums', () => {
  assert.equal(
    render('csv', head, samples).toString(),
    '\uFEFF"ms2000","utc","Temperature","Phase","Note"\r\n' +
      `"${start}","2026-01-15T13:00:00.000Z","20.50","CoolDown",""\r\n` +
      `"${start + 1}","2026-01-15T13:00:00.001Z","","",""\r\n` +
      `"${start + 1500}","2026-01-15T13:00:01.500Z","broken","",""\r\n`,
  );
});

test('[documents.39, documents.40, documents.41] CSV can contain every text, and no cell is a formula in any language', () => {
  fc.assert(
    fc.property(anyDocument, (list) => {
      const file = render('csv', head, samplesOf(list));
      const expected = gridOf(list).map(({ ms2000, texts }) => [
        String(ms2000),
        new Date(fromMs2000(ms2000)).toISOString(),
        ...texts.map((text) => guardText((text ?? '').toWellFormed())),
      ]);
      const names = ['ms2000', 'utc', 'Temperature', 'Phase', 'Note'];
      assert.deepEqual(
        readCsvTable(file).map((row) => Object.values(row)),
        expected,
      );
      assert.deepEqual(parseCsv(file), [names, ...expected]);
      for (const separator of [',', ';', '\t'] as const)
        for (const cell of splitLikeSpreadsheet(file.toString('utf8').slice(1), separator))
          assert.ok(!couldBeFormula(cell), JSON.stringify(cell));
    }),
  );
});

test('[documents.40] a text that is a formula gets an apostrophe, a negative number does not', () => {
  const table: [text: string, cell: string][] = [
    ['=1+1', "'=1+1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['-2+3', "'-2+3"],
    ['+x', "'+x"],
    ['-12.50', '-12.50'],
    ['-1e5', '-1e5'],
    ['12', '12'],
    ['1;=2', "1;'=2"],
  ];
  for (const [text, cell] of table) {
    const [, row] = readCsv(
      render('csv', head, samplesOf([[start, 2, text]]))
        .toString('utf8')
        .slice(1),
    );
    assert.equal(row?.[4], cell);
  }
});

const numbers: [text: string, cell: string | number][] = [
  ['0', 0],
  ['-12.5', -12.5],
  ['20.50', 20.5],
  ['0.000', 0],
  ['123456789012345', 123_456_789_012_345],
  ['12345678901.2345', 12_345_678_901.2345],
  ['1234567890123456', '1234567890123456'],
  ['0.1234567890123456', '0.1234567890123456'],
  ['007', '007'],
  ['-0', '-0'],
  ['-0.0', '-0.0'],
  ['00.5', '00.5'],
  ['.5', '.5'],
  ['5.', '5.'],
  ['+5', '+5'],
  ['1e3', '1e3'],
  ['0.0000001', '0.0000001'],
  ['0x10', '0x10'],
  ['1,5', '1,5'],
  ['1e999', '1e999'],
  [' 5', ' 5'],
  ['=1+1', '=1+1'],
];

/** The documents are in Copenhagen. */
const localTimeOf = (ms2000: number): string =>
  Temporal.Instant.fromEpochMilliseconds(fromMs2000(ms2000)).toString({
    timeZone: 'Europe/Copenhagen',
    smallestUnit: 'millisecond',
  });

test('[documents.42, documents.43] XLS has numbers where they are canonical and short, and strings elsewhere', () => {
  const list = numbers.map(([text], index): Sample => [start + index, 0, text]);
  const { name, rows } = readXls(render('xls', head, samplesOf(list)));
  assert.equal(name, 'Document');
  assert.deepEqual(
    rows[0]?.map((cell) => cell?.value),
    ['ms2000', 'utc', 'local', 'Temperature', 'Phase', 'Note'],
  );
  for (const [index, [text, cell]] of numbers.entries()) {
    const type = typeof cell === 'number' ? 'number' : 'text';
    assert.deepEqual(
      rows[index + 1]?.slice(0, 4),
      [
        { type: 'number', value: start + index },
        { type: 'text', value: new Date(fromMs2000(start + index)).toISOString() },
        { type: 'text', value: localTimeOf(start + index) },
        { type, value: cell },
      ],
      text,
    );
  }
});

test('[documents.43] XLS keeps texts, times, booleans and the values of enums as strings', () => {
  const types = ['text', 'time', 'bool', 'enum'] as const;
  const typed = headOf(types.map((valueType) => column(valueType, { valueType, options: ['12'] })));
  const list = types.map((_, index): Sample => [start, index, index === 2 ? 'true' : '12']);
  const { rows } = readXls(render('xls', typed, samplesOf(list)));
  assert.deepEqual(
    rows[1]?.slice(3),
    ['12', '12', 'true', '12'].map((value) => ({ type: 'text', value })),
  );
});

test('[documents.43] XLS can contain every text', () => {
  fc.assert(
    fc.property(anyDocument, (list) => {
      const { rows } = readXls(render('xls', head, samplesOf(list)));
      const texts = rows.slice(1).map((row) => row.slice(3).map((cell) => cell?.value));
      const isNumber = (text: unknown, index: number): boolean =>
        index === 0 &&
        typeof text === 'string' &&
        /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) &&
        text.length < 14 &&
        text !== '-0';
      assert.deepEqual(
        texts.map((row) => columns.map((_, index) => row[index])),
        gridOf(list).map((row) =>
          row.texts.map((text, index) => (isNumber(text, index) ? Number(text) : text || undefined)),
        ),
      );
    }),
    { numRuns: 50 },
  );
});

test('[documents.43] xls2csv reads the cells of a washing run as CSV has them', { skip: noXls2csv }, () => {
  const run = createWashingRun();
  const sheet = readXlsWithCatdoc(render('xls', run.head, run.samples));
  const file = readCsv(render('csv', run.head, run.samples).toString('utf8').slice(1));
  // A spreadsheet shows 20.50 as 20.5.
  const plain = (cell: string): string => (/^-?\d+(\.\d+)?$/.test(cell) ? String(Number(cell)) : cell);
  assert.deepEqual(
    // Without the local time, which CSV does not have.
    sheet.map((row) => file[0]?.map((_, index) => row[index < 2 ? index : index + 1] ?? '')),
    file.map((row) => row.map(plain)),
  );
});
