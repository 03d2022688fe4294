// Checks the labels and missing values of the series that are shown.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toShownSeries } from './shown-series.ts';

const atMs = Date.parse('2026-05-31T10:00:00Z');
const timestampUtc = '2026-05-31T10:00:00.000Z';

test('[metrics.09] a series without a label gets its number, and labels are plain text of bounded length', () => {
  const labels: [component: string | undefined, instance: string | undefined][] = [
    ['api', 'api-0'],
    [undefined, undefined],
    ['', ' \u001B[31m'],
    ['x'.repeat(500), 'a\u0000b'],
  ];
  const shown = toShownSeries(labels.map(([component, instance]) => ({ component, instance, points: [] })));
  assert.deepEqual(
    shown.map(({ component, instance }) => [component, instance]),
    [
      ['api', 'api-0'],
      ['2', '2'],
      ['3', '3'],
      ['x'.repeat(128), 'ab'],
    ],
  );
});

test('[metrics.10] a value that is not a number is null, and zero stays zero', () => {
  const values = [0, null, 12.5, Number.NaN, Number.POSITIVE_INFINITY, -1];
  const points = values.map((value) => ({ atMs, value }));
  const [series] = toShownSeries([{ component: undefined, instance: undefined, points }]);
  assert.deepEqual(
    series?.points,
    [0, null, 12.5, null, null, -1].map((value) => ({ timestampUtc, value })),
  );
});
