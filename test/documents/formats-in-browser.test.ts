// Pages and graphs in a browser, with the policies that the service sends: nothing is refused, no script runs, and no
// texts overlap.

import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { htmlContentSecurityPolicy } from '../../src/features/documents/formats/html-style.ts';
import { renderDocument } from '../../src/features/documents/formats/render-document.ts';
import { noBrowser, openBrowser, type Browser } from '../support/browser.ts';
import {
  column,
  createManySeries,
  createMeterMonth,
  createWashingRun,
  headOf,
  ms2000Of,
  samplesOf,
  type SampleDocument,
} from './support/sample-documents.ts';

const hostile = '<script>alert(1)</script><img src="x" onerror="alert(2)">';
const start = headOf([]).fromMs2000;
const clockChange = ms2000Of('2026-10-25T01:00:00Z');
const hourMs = 3_600_000;

const documents: Readonly<Record<string, SampleDocument>> = {
  'washing-run': createWashingRun(),
  'meter-month': createMeterMonth(),
  'sixteen-series': createManySeries(100),
  // Two o'clock comes twice, an hour apart.
  'clocks-put-back': {
    head: headOf([column('A')], { fromMs2000: clockChange - 15 * hourMs, throughMs2000: clockChange + 15 * hourMs }),
    samples: samplesOf([
      [clockChange - 15 * hourMs, 0, '1'],
      [clockChange + 15 * hourMs, 0, '2'],
    ]),
  },
  'many-options': {
    head: headOf([column('A', { valueType: 'enum', options: Array.from({ length: 120 }, (_, at) => `Option${at}`) })]),
    samples: samplesOf(Array.from({ length: 120 }, (_, at) => [start + at * 30_000, 0, `Option${at}`])),
  },
  'long-names': {
    head: headOf(
      [
        column('A', {
          label: 'A label that is far too long for any panel of a graph, however wide the drawing may be',
          unitOfMeasure: 'kW.h',
        }),
        column('B', {
          label: 'States',
          valueType: 'enum',
          options: ['An option with a long name', 'Another one of them', '短い'],
        }),
      ],
      {
        unitName: 'Maskine nummer 12 i det store vaskeri i kælderen under opgang C, ved siden af cykelkælderen',
        locationName: 'Ærøskøbing Ejerlejlighedsforening, Søndergade 12345, opgang C og D, kælderen',
        finished: false,
      },
    ),
    samples: samplesOf([
      [start, 0, '-123456789.123'],
      [start + 60_000, 0, '123456789.123'],
      [start, 1, 'An option with a long name'],
      [start + 120_000, 1, 'Another one of them'],
      [start + 180_000, 1, '短い'],
    ]),
  },
  hostile: {
    head: headOf(
      [
        column('A', { label: hostile, unitOfMeasure: hostile }),
        column('B', { label: hostile, valueType: 'enum', options: [hostile] }),
      ],
      { unitName: hostile, locationName: hostile, documentKid: hostile },
    ),
    samples: samplesOf([
      [start, 0, '1'],
      [start + 1, 0, hostile],
      [start + 2, 1, hostile],
    ]),
  },
};

const widths = [480, 1200, 2400];

/** Scrolls the table in a frame as wide as a phone, and measures where its heading and times are in it. */
const phoneView = `(async () => {
  const frame = document.querySelector('iframe');
  if (frame.contentDocument.readyState !== 'complete' || frame.contentDocument.querySelector('main') === null)
    await new Promise((done) => frame.addEventListener('load', done));
  const { documentElement } = frame.contentDocument;
  const box = frame.contentDocument.querySelector('.scroll');
  box.scrollTo(150, 40);
  const { top, left } = box.getBoundingClientRect();
  return {
    width: documentElement.clientWidth,
    scrollsSideways: documentElement.scrollWidth > documentElement.clientWidth,
    headingTop: Math.round(box.querySelector('thead').getBoundingClientRect().top - top),
    timeLeft: Math.round(box.querySelector('tbody th').getBoundingClientRect().left - left),
  };
})()`;

describe('in a browser', { skip: noBrowser }, () => {
  let browser: Browser;
  let server: Server;
  let origin = '';
  before(async () => {
    browser = await openBrowser();
    server = createServer(({ url = '' }, response) => {
      const [, format = '', name = '', width = ''] = url.split('/');
      if (format === 'frame') {
        const frame = `<!DOCTYPE html><iframe src="/html/${name}/framed" width="390" height="844" style="border:0"></iframe>`;
        response.writeHead(200, { 'content-type': 'text/html' }).end(frame);
        return;
      }
      const document = documents[name];
      if (document === undefined || (format !== 'html' && format !== 'svg')) {
        response.writeHead(url === '/favicon.ico' ? 204 : 404).end();
        return;
      }
      const type = format === 'html' ? 'text/html; charset=utf-8' : 'image/svg+xml';
      // Only the frame of the test may show the page.
      const pagePolicy = htmlContentSecurityPolicy.replace(
        "frame-ancestors 'none'",
        width === 'framed' ? "frame-ancestors 'self'" : "frame-ancestors 'none'",
      );
      const policy = format === 'html' ? pagePolicy : "default-src 'none'";
      response
        .writeHead(200, { 'content-type': type, 'content-security-policy': policy })
        .end(renderDocument(format, document.head, document.samples, { width: Number(width) }));
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(async () => {
    await browser.close();
    server.close();
  });

  for (const [name, { head }] of Object.entries(documents)) {
    test(`the page ${name} is shown with its style, and no part of a table is wider than the paper`, async () => {
      const { value, complaints } = await browser.visit(
        `${origin}/html/${name}`,
        `({
          title: document.title,
          heading: getComputedStyle(document.querySelector('h1')).fontSize,
          layout: getComputedStyle(document.querySelector('table')).tableLayout,
          widest: Math.max(...[...document.querySelectorAll('table')].map((table) => table.offsetWidth)),
          cut: [...document.querySelectorAll('th, td')].filter((cell) => cell.scrollWidth > cell.clientWidth + 1).length,
        })`,
      );
      assert.deepEqual(complaints, []);
      const { widest, ...others } = value as { widest: number };
      assert.deepEqual(others, { title: head.unitName, heading: '20px', layout: 'fixed', cut: 0 });
      assert.ok(widest <= 1032, `${widest} pixels`);
    });

    test(`[documents.62] on a phone the page ${name} does not scroll sideways, and headings and times stay in view`, async () => {
      const { value } = await browser.visit(`${origin}/frame/${name}`, phoneView);
      assert.deepEqual(value, { width: 390, scrollsSideways: false, headingTop: 0, timeLeft: 0 });
    });

    for (const width of widths)
      test(`the graph ${name}, ${width} wide, has no overlapping texts and is not cut off`, async () => {
        const { value, complaints } = await browser.visit(`${origin}/svg/${name}/${width}`, overlaps);
        assert.deepEqual(complaints, []);
        assert.deepEqual(value, []);
      });
  }
});

/** Pairs of texts whose boxes overlap, and texts that reach out of the drawing. */
const overlaps = `(() => {
  const size = document.documentElement.viewBox.baseVal;
  const texts = [...document.querySelectorAll('text')].map((text) => ({ text: text.lastChild.textContent, box: text.getBBox() }));
  const found = texts
    .filter(({ box }) => box.x < 0 || box.y < 0 || box.x + box.width > size.width || box.y + box.height > size.height)
    .map(({ text }) => 'cut: ' + text);
  for (const [at, { text, box }] of texts.entries())
    for (const other of texts.slice(at + 1)) {
      const across = Math.min(box.x + box.width, other.box.x + other.box.width) - Math.max(box.x, other.box.x);
      // The boxes of lines have room for ascenders and descenders.
      const down = Math.min(box.y + box.height, other.box.y + other.box.height) - Math.max(box.y, other.box.y);
      if (across > 1 && down > 4) found.push(text + ' | ' + other.text);
    }
  return found;
})()`;
