// Checks the printed page with an HTML parser: all rows in order, the heading, wide tables, and texts that look like
// markup.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  attributeOf,
  elementsBelow,
  readHtml,
  readHtmlHeadings,
  readHtmlRows,
  textOf,
} from '../../../../test/documents/support/read-formats.ts';
import {
  column,
  createWashingRun,
  headOf,
  ms2000Of,
  samplesOf,
  type Sample,
} from '../../../../test/documents/support/sample-documents.ts';
import { createDocumentTable } from '../rules/create-document-table.ts';
import type { DocumentHead, DocumentSamples } from '../rules/document-table.ts';
import { htmlContentSecurityPolicy, htmlStyle } from './html-style.ts';
import { renderDocument } from './render-document.ts';
import { codePoint } from '../../../../test/support/code-point.ts';

const render = (head: DocumentHead, samples: DocumentSamples): string =>
  Buffer.from(renderDocument('html', head, samples, { width: 1200 })).toString();

const shown = (text: string | null | undefined): string =>
  text === undefined ? '' : text === null ? '–' : text === '' ? '“”' : text;

test('[documents.31] the page has each row with its time, and each text as it is stored', () => {
  const { head, samples } = createWashingRun();
  const [rows = [], ...others] = readHtmlRows(render(head, samples));
  assert.deepEqual(others, []);
  assert.deepEqual(
    rows,
    createDocumentTable(head, samples).rows.map(({ utc, cells }) => ({
      time: utc,
      cells: cells.map((cell) => shown(cell === null ? undefined : cell.text)),
    })),
  );
});

const wide = headOf(
  Array.from({ length: 128 }, (_, index) => column(`C${index}`, { label: `Measured value ${index}` })),
);

test('a table of 128 columns is divided into blocks, each with the times, and none wider than the paper', () => {
  const start = wide.fromMs2000;
  // Each row has a value in every seventh column, so that some blocks have rows without values.
  const list = Array.from({ length: 40 }, (_, at) =>
    wide.columns.flatMap((__, index): Sample[] =>
      index % 40 === at ? [[start + at * 1000, index, `${at}.${index}`]] : [],
    ),
  ).flat();
  const html = render(wide, samplesOf(list));
  const blocks = readHtmlRows(html);
  assert.ok(blocks.length > 4, `${blocks.length} blocks`);
  const found = blocks.flatMap((rows) => rows.flatMap(({ cells }) => cells.filter((cell) => cell !== '')));
  assert.equal(found.length, list.length);
  assert.deepEqual(new Set(found), new Set(list.map(([, , text]) => text)));
  for (const rows of blocks)
    for (const { cells } of rows)
      assert.ok(
        cells.some((cell) => cell !== ''),
        'an empty row',
      );
  const elements = readHtml(html);
  // A4 landscape without its margins is 273 mm wide.
  for (const table of elements.filter(({ tagName }) => tagName === 'table'))
    assert.ok(Number(attributeOf(table, 'width')) <= (273 / 25.4) * 96);
  const headings = elements.filter((each) => each.tagName === 'th' && attributeOf(each, 'scope') === 'col').map(textOf);
  assert.deepEqual(
    headings.filter((heading) => heading.startsWith('Measured')),
    wide.columns.map(({ label }) => label),
  );
  assert.equal(headings.filter((heading) => heading.startsWith('Local time')).length, blocks.length);
});

const hostile = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onclick='alert(1)",
  '</style><script>alert(1)</script>',
  '<!--',
  ']]>',
  '&lt;b&gt;&amp;',
  '\u0000\u0001\u000b\u001b\ufffe\ud800',
  '\u202eabc',
];

/** Controls except tab and line feed, and the last two code points of each plane. */
const isForbidden = (character: string): boolean => {
  const code = character.codePointAt(0) ?? 0;
  if (character === '\t' || character === '\n') return false;
  return (
    code < 0x20 || (code > 0x7e && code < 0xa0) || (code >= 0xfdd0 && code <= 0xfdef) || (code & 0xfffe) === 0xfffe
  );
};

test('no text becomes markup', () => {
  const plain = render(headOf([column('A', { unitOfMeasure: 'Cel' })]), samplesOf([[wide.fromMs2000, 0, '1']]));
  const tags = (html: string): string[] =>
    readHtml(html).map(({ tagName, attrs }) => `${tagName} ${attrs.map(({ name }) => name).join()}`);
  fc.assert(
    fc.property(fc.oneof(fc.constantFrom(...hostile), fc.string({ unit: codePoint, minLength: 1 })), (text) => {
      const head = headOf([column('A', { label: text, unitOfMeasure: text, valueType: 'text' })], {
        unitName: text,
        locationName: text,
        documentKid: text,
      });
      const html = render(head, samplesOf([[head.fromMs2000, 0, text]]));
      // The cells of numbers have a class.
      assert.deepEqual(tags(html), tags(plain.replaceAll(' class="number"', '')));
      const kept = Array.from(text.toWellFormed().replaceAll(/\r\n?/g, '\n'), (character) =>
        isForbidden(character) ? '\uFFFD' : character,
      ).join('');
      assert.equal(readHtmlRows(html)[0]?.[0]?.cells[0], kept);
    }),
  );
});

test('the page is self-contained: no script, no external source, and only the style that its policy allows', () => {
  const { head, samples } = createWashingRun();
  const elements = readHtml(render(head, samples));
  assert.deepEqual(
    [...new Set(elements.map(({ tagName }) => tagName))].filter((name) => /script|link|img|iframe|object/.test(name)),
    [],
  );
  const attributes = new Set(elements.flatMap(({ attrs }) => attrs.map(({ name }) => name)));
  assert.deepEqual(
    [...attributes].filter((name) => /^on|^style$|src|href/.test(name)),
    [],
  );
  assert.deepEqual(elements.filter(({ tagName }) => tagName === 'style').map(textOf), [htmlStyle]);
  assert.match(htmlContentSecurityPolicy, /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; /);
  assert.equal(elements.filter(({ tagName }) => tagName === 'thead').length, 1);
});

const factsOf = (html: string): Record<string, string> => {
  const elements = readHtml(html);
  const [names, values] = ['dt', 'dd'].map((name) => elements.filter(({ tagName }) => tagName === name).map(textOf));
  return Object.fromEntries((names ?? []).map((name, index) => [name, values?.[index] ?? '']));
};

test('the heading names unit, location, period in local time, and whether the document is finished', () => {
  for (const finished of [true, false]) {
    const { head, samples } = createWashingRun(finished);
    const html = render(head, samples);
    const textOfTag = (tag: string): string[] =>
      readHtml(html)
        .filter(({ tagName }) => tagName === tag)
        .map(textOf);
    assert.deepEqual(textOfTag('h1'), ['Washer 2']);
    // The graph has titles too.
    assert.equal(textOfTag('title')[0], 'Washer 2');
    assert.equal(textOfTag('p').includes('Finished'), finished);
    assert.equal(
      textOfTag('p').some((text) => text.startsWith('Running')),
      !finished,
    );
    assert.ok(textOfTag('p').includes('Alder Lane 4'));
  }
  const { head, samples } = createWashingRun();
  assert.deepEqual(factsOf(render(head, samples)), {
    Period: 'Sat 21 Nov 2026, 14:03:12 – 15:18:12 (1 h 15 min)',
    'Local time': 'Europe/Copenhagen, UTC+1',
    Document: 'sund-B1001-L1-U2-D5551',
    Contents: '578 rows, 10 columns',
  });
});

/** The first cells of the rows. */
const localTimesOf = (html: string): string[] =>
  readHtml(html)
    .filter(({ tagName }) => tagName === 'tbody')
    .flatMap((body) =>
      elementsBelow(body)
        .filter(({ tagName }) => tagName === 'time')
        .map(textOf),
    );

test('each time has its offset in the nights in which clocks change', () => {
  const nights: [from: string, offsets: number[], times: string[]][] = [
    ['2026-10-25T00:30:00Z', [0, 60], ['2026-10-25 02:30:00 +02:00', '2026-10-25 02:30:00 +01:00']],
    ['2026-03-29T00:30:00Z', [0, 60], ['2026-03-29 01:30:00 +01:00', '2026-03-29 03:30:00 +02:00']],
  ];
  for (const [from, minutes, times] of nights) {
    const fromMs2000 = ms2000Of(from);
    const head = headOf([column('A')], { fromMs2000, throughMs2000: fromMs2000 + 90 * 60_000 });
    const list = minutes.map((minute): Sample => [fromMs2000 + minute * 60_000, 0, '1']);
    assert.deepEqual(
      localTimesOf(render(head, samplesOf(list))),
      times.map((time) => time.slice(11)),
    );
  }
});

test('times have dates if there are several days, and milliseconds if any time has some', () => {
  const fromMs2000 = ms2000Of('2026-01-15T22:30:00Z');
  const timesOf = (...offsetsMs: number[]): string[] => {
    const head = headOf([column('A')], { fromMs2000, throughMs2000: fromMs2000 + Math.max(...offsetsMs) });
    return localTimesOf(render(head, samplesOf(offsetsMs.map((offset): Sample => [fromMs2000 + offset, 0, '1']))));
  };
  assert.deepEqual(timesOf(0, 1000), ['23:30:00', '23:30:01']);
  assert.deepEqual(timesOf(0, 1001), ['23:30:00.000', '23:30:01.001']);
  assert.deepEqual(timesOf(0, 3_600_000), ['2026-01-15 23:30:00', '2026-01-16 00:30:00']);
});

test('[documents.62] the graph of the series with a course is above the table; without one there is no graph', () => {
  const { head, samples } = createWashingRun();
  const elements = readHtml(render(head, samples));
  const at = (name: string): number => elements.findIndex(({ tagName }) => tagName === name);
  assert.ok(at('header') < at('svg') && at('svg') < at('table'));
  const constant = headOf([column('A')]);
  assert.equal(
    readHtml(render(constant, samplesOf([[constant.fromMs2000, 0, '1']]))).some(({ tagName }) => tagName === 'svg'),
    false,
  );
  const many = readHtml(
    render(
      wide,
      samplesOf(
        wide.columns.flatMap((_, index): Sample[] => [0, 1].map((second) => [wide.fromMs2000 + second, index, '1'])),
      ),
    ),
  );
  assert.equal(many.filter(({ tagName }) => tagName === 'svg').length, 1);
});

test('[documents.62] the page says how much a counter has grown', () => {
  const head = headOf([
    column('EnergyReading', { label: 'Energy reading', unitOfMeasure: 'kW.h', isCounter: true }),
    column('AccessCount', { label: 'Access count', valueType: 'int', isCounter: true }),
    column('Power', { unitOfMeasure: 'kW' }),
  ]);
  const list = ['31634.606', '31952.306'].flatMap((text, at): Sample[] =>
    [text, String(at * 12), text].map((each, index) => [head.fromMs2000 + at, index, each]),
  );
  const facts = factsOf(render(head, samplesOf(list)));
  assert.deepEqual(
    [facts['Energy reading'], facts['Access count'], facts['Power']],
    ['used 317.700 kWh', '12 more', undefined],
  );
});

test('[documents.62] an unfinished document of a unit that is offline says since when it is silent', () => {
  const { head, samples } = createWashingRun(false);
  const silentSinceMs2000 = ms2000Of('2026-11-09T07:05:59Z');
  const statusOf = (html: string): string | undefined =>
    readHtml(html)
      .filter((each) => attributeOf(each, 'class')?.startsWith('status'))
      .map(textOf)[0];
  assert.equal(statusOf(render(head, samples)), 'Running, more samples may follow');
  assert.equal(
    statusOf(render({ ...head, silentSinceMs2000 }, samples)),
    'Not finished, silent since Mon 9 Nov 2026, 08:05',
  );
  const graph = Buffer.from(renderDocument('svg', { ...head, silentSinceMs2000 }, samples, { width: 480 })).toString();
  assert.match(graph, />Silent since 9 Nov</);
});

test('the page sends people with a spreadsheet to the XLS, on the screen only', () => {
  const { head, samples } = createWashingRun();
  const note = readHtml(render(head, samples)).find((each) => attributeOf(each, 'class') === 'note');
  assert.match(note === undefined ? '' : textOf(note), /spreadsheet, download the XLS/);
  assert.match(htmlStyle, /@media print \{\s+\.note \{ display: none; \}/);
});

test('columns without a sample are left out and named; a stored null and an empty text are values', () => {
  const columns = ['A', 'B', 'C', 'D', 'E'].map((name) => column(name, { label: `Value <${name}>` }));
  const head = headOf(columns);
  const list: Sample[] = [
    [head.fromMs2000, 3, '4'],
    [head.fromMs2000, 1, null],
    [head.fromMs2000 + 1000, 4, ''],
    [head.fromMs2000 + 2000, 1, '2'],
  ];
  const html = render(head, samplesOf(list));
  assert.deepEqual(readHtmlHeadings(html).slice(1), ['Value <B>', 'Value <D>', 'Value <E>']);
  assert.deepEqual(
    readHtmlRows(html).flatMap((rows) => rows.map(({ cells }) => cells)),
    [
      ['–', '4', ''],
      ['', '', '“”'],
      ['2', '', ''],
    ],
  );
  const notes = readHtml(html)
    .filter(({ tagName }) => tagName === 'p')
    .map(textOf);
  assert.ok(notes.includes('No values: Value <A>, Value <C>'), notes.join(' | '));
  // There can be many: they neither push down the graph and the table nor widen the page.
  assert.ok(html.indexOf('No values: ') > html.indexOf('</table>'));
  assert.match(htmlStyle, /\.legend \{[^}]* width: 0; min-width: 100%;/);
  assert.equal(factsOf(html)['Contents'], '3 rows, 3 columns');
  const full = render(headOf(columns.slice(0, 1)), samplesOf([[head.fromMs2000, 0, '1']]));
  assert.ok(!full.includes('No values'));
});

test('a document without samples says so', () => {
  const html = render(headOf([column('A')]), samplesOf([]));
  assert.deepEqual(readHtmlRows(html), []);
  assert.match(html, /There are no samples\./);
});
