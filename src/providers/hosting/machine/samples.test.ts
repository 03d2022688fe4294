// The points of samples: steps, gaps and means, compared with a manual count and with another computation.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { addSample, toPoints, type Sample } from './samples.ts';
import { hourMs, minuteMs } from '../../../lib/time/durations.ts';

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

test('[metrics.10] a metric that was never measured has no points', () => {
  assert.deepEqual(toPoints([sampleAt(noonMs)], 'connections', lastHours(1)), []);
  assert.deepEqual(toPoints([], 'cpuPercent', lastHours(1)), []);
  assert.deepEqual(toPoints([sampleAt(noonMs - 2 * hourMs)], 'cpuPercent', lastHours(1)), []);
});

test('a window of a day has means of five minutes, shorter ones have minutes', () => {
  const samples = Array.from({ length: 10 }, (_, index) => sampleAt(noonMs - (9 - index) * minuteMs, index + 1));
  assert.deepEqual(toPoints(samples, 'cpuPercent', lastHours(24)), [
    { atMs: noonMs - 5 * minuteMs, value: 3 },
    { atMs: noonMs, value: 8 },
  ]);
  for (const hours of [1, 6])
    assert.deepEqual(
      toPoints(samples, 'cpuPercent', lastHours(hours)),
      samples.map(({ atMs, cpuPercent }) => ({ atMs, value: cpuPercent })),
    );
});

test('a step of five minutes shows its last count of restarts, and its highest count of connections', () => {
  const restarts = [0, 0, 1, 1, 1];
  const connections = [3, null, 8, 5, null];
  const samples = restarts.map((count, index) => ({
    ...sampleAt(noonMs - (4 - index) * minuteMs),
    restarts: count,
    connections: connections[index] ?? null,
  }));
  assert.deepEqual(toPoints(samples, 'restarts', lastHours(24)), [{ atMs: noonMs, value: 1 }]);
  assert.deepEqual(toPoints(samples, 'connections', lastHours(24)), [{ atMs: noonMs, value: 8 }]);
});

test('points are in the window, ordered by time, and are the means of their steps', () => {
  const offsets = fc.uniqueArray(fc.integer({ min: 0, max: 26 * 60 * 60 }), { maxLength: 60 });
  fc.assert(
    fc.property(offsets, fc.constantFrom(1, 6, 24), (seconds, hours) => {
      const samples = seconds
        .toSorted((a, b) => b - a)
        .map((each) => sampleAt(noonMs - each * 1000, each % 7 === 0 ? null : each % 100));
      const window = lastHours(hours);
      const stepMs = hours > 6 ? 5 * minuteMs : minuteMs;
      const points = toPoints(samples, 'cpuPercent', window);
      for (const [index, point] of points.entries()) {
        const before = points[index - 1]?.atMs ?? Number.NEGATIVE_INFINITY;
        assert.ok(point.atMs > before && point.atMs >= window.fromMs && point.atMs <= window.toMs);
        const stood = samples.filter(
          ({ atMs }) => atMs <= point.atMs && atMs > Math.max(before, point.atMs - stepMs) && atMs >= window.fromMs,
        );
        const values = stood.flatMap(({ cpuPercent }) => (cpuPercent === null ? [] : [cpuPercent]));
        const mean = values.length === 0 ? null : values.reduce((sum, each) => sum + each, 0) / values.length;
        if (mean === null) assert.equal(point.value, null);
        else assert.ok(Math.abs((point.value ?? Number.NaN) - mean) <= 0.005, `${point.value} for ${mean}`);
      }
    }),
  );
});

test('a day of samples is kept, and after a clock was set back, later samples are dropped', () => {
  const minutesOfDay = 1440;
  let samples: Sample[] = [];
  for (let index = 0; index < minutesOfDay + 10; index += 1)
    samples = addSample(samples, sampleAt(noonMs + index * minuteMs));
  assert.equal(samples.length, minutesOfDay);
  const back = addSample(samples, sampleAt(noonMs + 100 * minuteMs));
  assert.deepEqual([back.length, back.at(-1)?.atMs], [91, noonMs + 100 * minuteMs]);
});
