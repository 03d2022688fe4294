// The points of samples: steps, gaps and means, against a count by hand and another way to compute them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { addSample, maxSamples, stepOf, toPoints, type Sample } from './samples.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const noonMs = Date.parse('2026-05-31T12:00:00Z');

const sampleAt = (atMs: number, cpuPercent: number | null = 10): Sample => ({
  atMs,
  cpuPercent,
  memoryPercent: 20,
  restarts: 0,
  databaseCpuPercent: null,
  databaseMemoryPercent: null,
  diskPercent: null,
  connections: null,
});
const lastHours = (hours: number) => ({ fromMs: noonMs - hours * hourMs, toMs: noonMs });

test('[metrics.10] a minute without a sample is null between those that have one, and never zero', () => {
  const samples = [5, 4, 1, 0].map((minutes) => sampleAt(noonMs - minutes * minuteMs, minutes));
  const points = toPoints(samples, 'cpuPercent', lastHours(1));
  assert.deepEqual(
    points.map(({ atMs, value }) => [(noonMs - atMs) / minuteMs, value]),
    [
      [5, 5],
      [4, 4],
      [3, null],
      [2, null],
      [1, 1],
      [0, 0],
    ],
  );
});

test('[metrics.10] what was never measured has no points', () => {
  assert.deepEqual(toPoints([sampleAt(noonMs)], 'connections', lastHours(1)), []);
  assert.deepEqual(toPoints([], 'cpuPercent', lastHours(1)), []);
  assert.deepEqual(toPoints([sampleAt(noonMs - 2 * hourMs)], 'cpuPercent', lastHours(1)), []);
});

test('a window of a day has means of five minutes, shorter ones have minutes', () => {
  assert.deepEqual(
    [1, 6, 24].map((hours) => stepOf(lastHours(hours))),
    [minuteMs, minuteMs, 5 * minuteMs],
  );
  const samples = Array.from({ length: 10 }, (_, at) => sampleAt(noonMs - (9 - at) * minuteMs, at + 1));
  assert.deepEqual(toPoints(samples, 'cpuPercent', lastHours(24)), [
    { atMs: noonMs - 5 * minuteMs, value: 3 },
    { atMs: noonMs, value: 8 },
  ]);
});

test('of five minutes the last count of restarts is shown, and the highest of connections', () => {
  const restarts = [0, 0, 1, 1, 1];
  const connections = [3, null, 8, 5, null];
  const samples = restarts.map((count, at) => ({
    ...sampleAt(noonMs - (4 - at) * minuteMs),
    restarts: count,
    connections: connections[at] ?? null,
  }));
  assert.deepEqual(toPoints(samples, 'restarts', lastHours(24)), [{ atMs: noonMs, value: 1 }]);
  assert.deepEqual(toPoints(samples, 'connections', lastHours(24)), [{ atMs: noonMs, value: 8 }]);
});

test('points are in the window, by time, and have the mean of what they stand for', () => {
  const offsets = fc.uniqueArray(fc.integer({ min: 0, max: 26 * 60 * 60 }), { maxLength: 60 });
  fc.assert(
    fc.property(offsets, fc.constantFrom(1, 6, 24), (seconds, hours) => {
      const samples = seconds
        .toSorted((a, b) => b - a)
        .map((each) => sampleAt(noonMs - each * 1000, each % 7 === 0 ? null : each % 100));
      const window = lastHours(hours);
      const points = toPoints(samples, 'cpuPercent', window);
      for (const [at, point] of points.entries()) {
        const before = points[at - 1]?.atMs ?? Number.NEGATIVE_INFINITY;
        assert.ok(point.atMs > before && point.atMs >= window.fromMs && point.atMs <= window.toMs);
        const stood = samples.filter(
          ({ atMs }) =>
            atMs <= point.atMs && atMs > Math.max(before, point.atMs - stepOf(window)) && atMs >= window.fromMs,
        );
        const values = stood.flatMap(({ cpuPercent }) => (cpuPercent === null ? [] : [cpuPercent]));
        const mean = values.length === 0 ? null : values.reduce((sum, each) => sum + each, 0) / values.length;
        if (mean === null) assert.equal(point.value, null);
        else assert.ok(Math.abs((point.value ?? Number.NaN) - mean) <= 0.005, `${point.value} for ${mean}`);
      }
    }),
  );
});

test('a day of samples is kept, and a clock that was set back takes those from after it away', () => {
  let samples: Sample[] = [];
  for (let at = 0; at < maxSamples + 10; at += 1) samples = addSample(samples, sampleAt(noonMs + at * minuteMs));
  assert.equal(samples.length, maxSamples);
  const back = addSample(samples, sampleAt(noonMs + 100 * minuteMs));
  assert.deepEqual([back.length, back.at(-1)?.atMs], [91, noonMs + 100 * minuteMs]);
});
