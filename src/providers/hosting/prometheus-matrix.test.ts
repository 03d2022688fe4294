// Answers to range queries, in the shapes that servers send.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HostingSourceError } from './hosting.ts';
import { readMatrix, toSeries } from './prometheus-matrix.ts';

const matrix = (result: unknown) => ({ status: 'success', data: { resultType: 'matrix', result } });
const labels = { component: 'app_component', instance: 'app_component_instance' };
const read = (body: unknown) => toSeries(readMatrix(body), labels);

test('a matrix is read with its labels, ordered by time', () => {
  const metric = { app_component: 'api', app_component_instance: 'api-0', app_uuid: 'x' };
  const values = [
    [1634052480, '12.01'],
    [1634052360.5, '5.016600450090265357'],
  ];
  assert.deepEqual(
    read(
      matrix([
        { metric, values },
        { metric: {}, values: [] },
      ]),
    ),
    [
      {
        component: 'api',
        instance: 'api-0',
        points: [
          { atMs: 1_634_052_360_500, value: 5.016600450090265 },
          { atMs: 1_634_052_480_000, value: 12.01 },
        ],
      },
      { component: undefined, instance: undefined, points: [] },
    ],
  );
});

test('[metrics.10] a value that is not a number is null, and a sample without a time is dropped', () => {
  const values = ['NaN', '+Inf', '-Inf', '', ' ', '0x10', 'x', 5, null, '0', '1e3', '-2.5'].map((value) => [1, value]);
  const lost = [['1', '1'], [Number.NaN, '1'], [null, '1'], ['x'], 'x', null, [], [1e300, '1'], [-1, '1']];
  const [series] = read(matrix([{ metric: {}, values: [...values, ...lost] }]));
  assert.deepEqual(
    series?.points.map(({ value }) => value),
    [null, null, null, null, null, null, null, null, null, 0, 1000, -2.5],
  );
});

test('[metrics.10] an empty result has no series', () => {
  assert.deepEqual(read(matrix([])), []);
});

test('the number of series and points is bounded', () => {
  const values = Array.from({ length: 2500 }, (_, index) => [index, String(index)]);
  const series = read(matrix(Array.from({ length: 80 }, () => ({ metric: {}, values }))));
  assert.equal(series.length, 64);
  assert.equal(series[0]?.points.length, 2000);
  assert.equal(series[0]?.points.at(-1)?.value, 2499);
});

test('any other shape is refused', () => {
  const bodies: unknown[] = [
    null,
    [],
    'x',
    {},
    { status: 'error', errorType: 'bad_data', error: 'x' },
    { status: 'error', data: { resultType: 'matrix', result: [] } },
    { status: 'success', data: null },
    { status: 'success', data: { resultType: 'vector', result: [] } },
    matrix(null),
    matrix({}),
    matrix([null]),
    matrix([{ metric: {} }]),
    matrix([{ metric: 'x', values: [] }]),
  ];
  for (const body of bodies) assert.throws(() => read(body), HostingSourceError, JSON.stringify(body));
});
