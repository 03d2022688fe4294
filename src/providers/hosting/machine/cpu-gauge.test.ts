// Percentages of processor time, with clocks that the test controls.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CpuGauge } from './cpu-gauge.ts';

function createGauge(processors: number) {
  const clock = { nowMs: 0, cpuMs: 1000 as number | null };
  const gauge = new CpuGauge({ readCpuMs: () => clock.cpuMs, monotonic: () => clock.nowMs, processors });
  return { clock, gauge };
}

test('one fully used processor counts as its share of all processors', () => {
  const { clock, gauge } = createGauge(4);
  clock.nowMs = 60_000;
  clock.cpuMs = 61_000;
  assert.equal(gauge.peek(), 25);
  assert.equal(gauge.restart(), 25);
  clock.nowMs = 120_000;
  assert.equal(gauge.restart(), 0);
});

test('`peek` between two measurements does not change the next one', () => {
  const { clock, gauge } = createGauge(1);
  clock.nowMs = 10_000;
  clock.cpuMs = 6000;
  assert.equal(gauge.peek(), 50);
  clock.nowMs = 20_000;
  assert.equal(gauge.restart(), 25);
});

test('an unknown percentage is null: the time is too short, there is no processor time, or the process is another one', () => {
  const { clock, gauge } = createGauge(1);
  clock.nowMs = 50;
  clock.cpuMs = 1050;
  assert.equal(gauge.peek(), null);
  clock.nowMs = 60_000;
  clock.cpuMs = 500;
  assert.equal(gauge.peek(), null);
  clock.cpuMs = null;
  assert.equal(gauge.restart(), null);
  clock.nowMs = 120_000;
  clock.cpuMs = 1000;
  assert.equal(gauge.restart(), null);
});

test('rounding of clocks never gives more than 100 percent', () => {
  const { clock, gauge } = createGauge(1);
  clock.nowMs = 1000;
  clock.cpuMs = 2010;
  assert.equal(gauge.peek(), 100);
});
