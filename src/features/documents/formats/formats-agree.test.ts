// Checks that all five formats show the same numbers at the same times, and that each can render the largest documents.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createValueReader,
  readCircles,
  readHtmlHeadings,
  readHtmlRows,
  readPanels,
  readStretches,
} from '../../../../test/documents/support/read-formats.ts';
import {
  column,
  createWashingRun,
  headOf,
  samplesOf,
  type Sample,
  type SampleDocument,
} from '../../../../test/documents/support/sample-documents.ts';
import { parseCsv, readCsvTable } from '../../../../test/support/csv.ts';
import { readXls } from '../../../../test/support/spreadsheets.ts';
import { toMs2000 } from '../../../lib/time/ms2000.ts';
import { documentFormats, renderDocument, type DocumentFormat } from './render-document.ts';

const render = (format: DocumentFormat, { head, samples }: SampleDocument): Buffer =>
  Buffer.from(renderDocument(format, head, samples, { width: 1200 }));

/** The numbers of a column, as `time value`. */
type Numbers = readonly string[];

const numberOf = (text: unknown): number | undefined =>
  typeof text === 'number' ? text : typeof text === 'string' && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;

const numbersOf = (cells: readonly (readonly [ms2000: number, text: unknown])[]): Numbers =>
  cells.flatMap(([ms2000, text]) => {
    const number = numberOf(text);
    return number === undefined ? [] : [`${ms2000} ${number}`];
  });

const readers: Readonly<Record<Exclude<DocumentFormat, 'svg'>, (document: SampleDocument, index: number) => Numbers>> =
  {
    json: (document, index) => {
      type Row = { ms2000: number; cells: ({ value: number | null } | null)[] };
      const { rows } = JSON.parse(render('json', document).toString()) as { rows: Row[] };
      return numbersOf(rows.map(({ ms2000, cells }) => [ms2000, cells[index]?.value]));
    },
    csv: (document, index) => {
      const name = document.head.columns[index]?.name ?? '';
      return numbersOf(readCsvTable(render('csv', document)).map((row) => [Number(row['ms2000']), row[name]]));
    },
    xls: (document, index) => {
      const { rows } = readXls(render('xls', document));
      return numbersOf(rows.slice(1).map((row) => [Number(row[0]?.value), row[index + 3]?.value]));
    },
    html: (document, index) => {
      const html = render('html', document).toString();
      // The page leaves columns without a sample out.
      const shownIndex = readHtmlHeadings(html).indexOf(document.head.columns[index]?.label ?? '') - 1;
      const rows = readHtmlRows(html).flat();
      return numbersOf(rows.map(({ time, cells }) => [toMs2000(Date.parse(time)), cells[shownIndex]]));
    },
  };

/** The drawn corners and single points of a graph with one column. */
function assertDrawn({ head, samples }: SampleDocument, index: number, numbers: Numbers): void {
  const only = samples.columns.flatMap((each, at) => (each === index ? [at] : []));
  const own = samplesOf(only.map((at): Sample => [samples.ms2000[at] ?? 0, 0, samples.texts[at] ?? null]));
  const svg = render('svg', {
    head: { ...head, columns: head.columns.slice(index, index + 1) },
    samples: own,
  }).toString();
  const panel = [...readPanels(svg).values()][0];
  assert.ok(panel !== undefined);
  const points = [...readStretches(panel).flat(), ...readCircles(panel)];
  const expected = numbers.map((text) => text.split(' ').map(Number) as [number, number]);
  const values = expected.map(([, value]) => value);
  if (Math.min(...values) === Math.max(...values)) return;
  const read = createValueReader(panel);
  const tolerance = (Math.max(...values) - Math.min(...values)) * 0.01 + 0.01;
  // 1200 pixels less the margins; the plot begins left of all points.
  const drawn = points.map(({ x, y }) => ({ x, value: read(y) }));
  for (const [, value] of expected)
    assert.ok(
      drawn.some((point) => Math.abs(point.value - value) <= tolerance),
      String(value),
    );
  const xs = expected.map(([ms2000]) => ms2000);
  const [left, right] = [Math.min(...drawn.map(({ x }) => x)), Math.max(...drawn.map(({ x }) => x))];
  for (const [ms2000, value] of expected) {
    const x = left + ((ms2000 - Math.min(...xs)) / Math.max(1, Math.max(...xs) - Math.min(...xs))) * (right - left);
    assert.ok(
      drawn.some((point) => Math.abs(point.x - x) < 1 && Math.abs(point.value - value) <= tolerance),
      `${ms2000} ${value}`,
    );
  }
}

function assertSameNumbers(document: SampleDocument): void {
  for (const [index, { valueType }] of document.head.columns.entries()) {
    if (valueType === 'enum' || valueType === 'bool' || valueType === 'text') continue;
    const numbers = readers.json(document, index);
    for (const format of ['csv', 'xls', 'html'] as const)
      assert.deepEqual(readers[format](document, index), numbers, format);
    if (numbers.length > 0) assertDrawn(document, index, numbers);
  }
}

test('[documents.28, documents.31, documents.42] a washing run has the same numbers in all five formats', () => {
  assertSameNumbers(createWashingRun());
});

const start = headOf([]).fromMs2000;

test('[documents.28, documents.31, documents.42] any document has the same numbers in all five formats', () => {
  const anyText = fc.oneof(
    { weight: 5, arbitrary: fc.integer({ min: -9999, max: 9999 }).map((hundredths) => (hundredths / 100).toFixed(2)) },
    fc.constantFrom(null, '', 'broken', '1e999', '=1+1'),
  );
  const anySamples = fc.uniqueArray(fc.tuple(fc.nat(59), fc.nat(2), anyText), {
    selector: ([at, index]) => `${at} ${index}`,
    maxLength: 50,
  });
  fc.assert(
    fc.property(anySamples, (list) => {
      const samples = samplesOf(list.map(([minute, index, text]) => [start + minute * 60_000, index, text]));
      assertSameNumbers({ head: headOf(['A', 'B', 'C'].map((name) => column(name))), samples });
    }),
    { numRuns: 40 },
  );
});

/** One numeric column, for the graph, and others of texts. */
const columnsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => column(`C${index}`, index === 0 ? {} : { valueType: 'text' }));

const throughMs2000 = start + 31 * 86_400_000;

const longTexts = (count: number): SampleDocument => ({
  head: headOf(columnsOf(2), { throughMs2000 }),
  samples: samplesOf([
    [start, 0, '1'],
    ...Array.from({ length: count }, (_, index): Sample => [
      start + index * 1000,
      1,
      `${index}<&>"é`.padEnd(16_384, 'x'),
    ]),
  ]),
});

/** Documents at their limits. */
const largest: Readonly<Record<string, () => SampleDocument>> = {
  '128 columns, and 500,000 cells': () => ({
    head: headOf(columnsOf(128), { throughMs2000 }),
    samples: samplesOf(
      Array.from({ length: 3906 }, (_, index): Sample => [start + index * 1000, index % 128, String(index)]),
    ),
  }),
  '50,000 samples, and 500,000 cells': () => ({
    head: headOf(columnsOf(10), { throughMs2000 }),
    samples: samplesOf(
      Array.from({ length: 50_000 }, (_, index): Sample => [start + index * 1000, index % 10, `${index % 977}.5`]),
    ),
  }),
  'values of 16,384 characters': () => longTexts(4),
  '8 million characters': () => longTexts(488),
};

for (const [limits, create] of Object.entries(largest))
  test(`[documents.55, documents.56] a document of ${limits} is served whole in every format`, () => {
    const document = create();
    const { samples } = document;
    const last = samples.texts.length - 1;
    const lastText = samples.texts[last] ?? '';
    const rowCount = new Set(samples.ms2000).size;
    const { rows } = JSON.parse(render('json', document).toString()) as {
      rows: { cells: ({ text: string } | null)[] }[];
    };
    assert.equal(rows.length, rowCount);
    assert.equal(rows.at(-1)?.cells[samples.columns[last] ?? 0]?.text, lastText);
    const table = parseCsv(render('csv', document));
    assert.deepEqual([table.length, table.at(-1)?.[(samples.columns[last] ?? 0) + 2]], [rowCount + 1, lastText]);
    const sheet = render('xls', document);
    // SheetJS is slow with long texts; the file contains all of these, one byte for each character.
    if (samples.texts.length === 489) assert.ok(sheet.length > 488 * 16_384);
    else {
      const cells = readXls(sheet).rows;
      const lastCell = cells.at(-1)?.[(samples.columns[last] ?? 0) + 3]?.value;
      assert.deepEqual([cells.length, String(lastCell)], [rowCount + 1, lastText]);
    }
    const html = render('html', document).toString();
    assert.ok(
      html.endsWith('</html>\n') &&
        html.includes(`${lastText.replaceAll(/[&<>"']/g, (each) => `&${names[each]};`)}</td>`),
    );
    assert.ok(render('svg', document).toString().endsWith('</svg>'));
  });

const names: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' };

test('[documents.59] a document that is too large is refused in every format', () => {
  const head = headOf(columnsOf(2));
  const samples = samplesOf([
    [start, 0, '1'],
    [start, 1, 'x'.repeat(16_385)],
  ]);
  for (const format of documentFormats)
    assert.throws(() => render(format, { head, samples }), { code: 'document-too-large' }, format);
});
