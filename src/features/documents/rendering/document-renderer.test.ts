// Checks rendering in threads: the same bytes as without threads, refusals with their type, and threads that are ended
// and replaced.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  column,
  createManySeries,
  createWashingRun,
  headOf,
  samplesOf,
} from '../../../../test/documents/support/sample-documents.ts';
import { waitUntil } from '../../../../test/support/async.ts';
import { Problem } from '../../../lib/problem.ts';
import { documentFormats, renderDocument } from '../formats/render-document.ts';
import { createDocumentRenderer, type DocumentRenderer } from './document-renderer.ts';
import { dayMs } from '../../../lib/time/durations.ts';

const { head, samples } = createWashingRun();
const atHome = (format: (typeof documentFormats)[number], width = 1200): Buffer =>
  Buffer.from(renderDocument(format, head, samples, { width }));

describe('a renderer', () => {
  let renderer: DocumentRenderer;
  before(() => {
    renderer = createDocumentRenderer();
  });
  after(() => renderer.close());

  test('a thread renders every format with the same bytes as the main thread', async () => {
    for (const format of documentFormats)
      assert.ok(atHome(format).equals(await renderer.render(format, head, samples)), format);
    assert.ok(atHome('svg', 480).equals(await renderer.render('svg', head, samples, { width: 480 })));
  });

  test('many concurrent documents wait in the queue, and each gets its own bytes', async () => {
    const widths = Array.from({ length: 12 }, (_, index) => 480 + index * 100);
    const rendered = await Promise.all(widths.map((width) => renderer.render('svg', head, samples, { width })));
    for (const [index, width] of widths.entries())
      assert.ok(atHome('svg', width).equals(rendered[index] as Uint8Array));
  });

  test('[documents.45, documents.55] a refusal arrives as the same Problem', async () => {
    const { head: many, samples: manySamples } = createManySeries(2, 17);
    const refused: [code: string, render: () => Promise<unknown>, detail: RegExp][] = [
      [
        'document-too-large',
        () => renderer.render('json', { ...head, throughMs2000: head.fromMs2000 + 32 * dayMs }, samples),
        /31 days/,
      ],
      ['no-numeric-data', () => renderer.render('svg', headOf([column('A')]), samplesOf([])), /no numeric data/],
      ['too-many-series', () => renderer.render('svg', many, manySamples), /17 numeric series/],
    ];
    for (const [code, render, detail] of refused)
      await assert.rejects(render, (error) => {
        assert.ok(error instanceof Problem);
        assert.deepEqual([error.code, error.status], [code, 422]);
        assert.match(error.message, detail);
        return true;
      });
  });

  test('a defect is an error with its cause, and the thread continues to work', async () => {
    const broken = { ...samples, columns: samples.columns.map(() => 999) };
    await assert.rejects(
      renderer.render('csv', head, broken),
      (error: Error) => !(error instanceof Problem) && error.cause instanceof RangeError,
    );
    assert.ok(atHome('csv').equals(await renderer.render('csv', head, samples)));
  });

  test('the event loop is not blocked while a document is rendered', async () => {
    const { head: many, samples: manySamples } = createManySeries(3000);
    let turns = 0;
    let isDone = false;
    const turn = (): void => {
      turns += 1;
      if (!isDone) setImmediate(turn);
    };
    const rendered = renderer.render('html', many, manySamples);
    turn();
    await rendered;
    isDone = true;
    assert.ok(turns > 50, `${turns} turns`);
  });
});

/** It is so wide that each second of a month has a label, which keeps a thread busy for many seconds. */
const manyLabels = { head: { ...head, throughMs2000: head.fromMs2000 + 31 * dayMs }, width: 1e9 };

test('an aborted rendering ends immediately, and its thread is replaced', async () => {
  const renderer = createDocumentRenderer({ maxThreads: 1 });
  const controller = new AbortController();
  const reason = new Problem('storage-timeout');
  const { signal } = controller;
  // Wait until the thread has started.
  await renderer.render('csv', head, samples, { signal });
  const rendering = renderer.render('svg', manyLabels.head, samples, { width: manyLabels.width, signal });
  const waiting = renderer.render('csv', head, samples);
  const leaving = renderer.render('csv', head, samples, { signal });
  setTimeout(() => controller.abort(reason), 100);
  await assert.rejects(rendering, (error) => error === reason);
  await assert.rejects(leaving, (error) => error === reason);
  await assert.rejects(renderer.render('csv', head, samples, { signal }), (error) => error === reason);
  assert.ok(atHome('csv').equals(await waiting));
  await renderer.close();
});

test('a thread that dies rejects its document, and the next one gets another thread', async () => {
  const renderer = createDocumentRenderer({ maxThreads: 1, maxHeapMegabytes: 32 });
  const rendering = renderer.render('svg', manyLabels.head, samples, { width: manyLabels.width });
  const waiting = renderer.render('csv', head, samples);
  await assert.rejects(rendering, { code: 'ERR_WORKER_OUT_OF_MEMORY' });
  assert.ok(atHome('csv').equals(await waiting));
  assert.ok(atHome('csv').equals(await renderer.render('csv', head, samples)));
  await renderer.close();
});

test('closing ends running and waiting renderings, and nothing starts afterwards', async () => {
  const renderer = createDocumentRenderer({ maxThreads: 1 });
  const rendering = renderer.render('svg', manyLabels.head, samples, { width: manyLabels.width });
  const waiting = renderer.render('csv', head, samples);
  const ended = Promise.all([assert.rejects(rendering, /has ended/), assert.rejects(waiting, /closed/)]);
  await renderer.close();
  await ended;
  await assert.rejects(renderer.render('csv', head, samples), /closed/);
});

test('a thread that is idle for a while ends, and the next document starts another', async () => {
  const renderer = createDocumentRenderer({ idleMs: 1 });
  await renderer.render('csv', head, samples);
  await waitUntil('the thread ends', () => renderer.threadCount() === 0);
  assert.ok(atHome('csv').equals(await renderer.render('csv', head, samples)));
  await renderer.close();
});
