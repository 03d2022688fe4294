// The counts of several processes, which exchange them through one store, under clocks that differ and jump.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { countedWindowMs, SharedWindow, type SharedCount } from './shared-window.ts';

const limit = 120;
/** What a process uses before its first exchange, and between two. */
const [first, step] = [6, 2];
const principal = ['sund', '1'] as const;

type Clock = { monotonicMs: number; aheadMs: number };

/** The rows of the database: window and process -> count. */
type Store = Map<string, number>;

function createProcess(store: Store, name: string, clock: Clock, isReachable: () => boolean = () => true) {
  const exchange = (count: SharedCount): void => {
    if (!isReachable()) return;
    const { windowStart, usedHere } = count;
    store.set(`${windowStart}/${name}`, usedHere);
    const elsewhere = [...store]
      .filter(([key]) => key.startsWith(`${windowStart}/`) && key !== `${windowStart}/${name}`)
      .reduce((sum, [, used]) => sum + used, 0);
    window.exchanged(count, usedHere, elsewhere);
  };
  const window = new SharedWindow(limit, {
    clock: () => Date.parse('2026-06-15T09:30:00Z') + clock.monotonicMs + clock.aheadMs,
    monotonic: () => clock.monotonicMs,
    onDue: exchange,
  });
  return window;
}

const createProcesses = (count: number, store: Store, clocks: readonly Clock[]) =>
  Array.from({ length: count }, (_, index) =>
    createProcess(store, String(index), clocks[index] ?? { monotonicMs: 0, aheadMs: 0 }),
  );

test('several processes let through the limit together, and at most a twentieth of it more for each other one and a sixtieth', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.nat({ max: 4 }), { minLength: 400, maxLength: 800 }),
      (count, order) => {
        const processes = createProcesses(count, new Map(), []);
        let allowed = 0;
        for (const at of order) if (processes[at % count]?.take(...principal).allowed === true) allowed += 1;
        for (const each of processes) while (each.take(...principal).allowed) allowed += 1;
        assert.ok(allowed >= limit && allowed <= limit + (count - 1) * first + step, `${count}: ${allowed}`);
      },
    ),
    { numRuns: 40 },
  );
});

test('one process alone lets through exactly the limit, and tells what is left', () => {
  const window = createProcess(new Map(), 'a', { monotonicMs: 15_000, aheadMs: 0 });
  for (let left = limit - 1; left >= 0; left -= 1)
    assert.deepEqual(window.take(...principal), { allowed: true, remaining: left, resetSeconds: 45 });
  assert.deepEqual(window.take(...principal), { allowed: false, remaining: 0, resetSeconds: 45 });
});

test('a store that nobody reaches leaves each process its own limit', () => {
  const clock = { monotonicMs: 0, aheadMs: 0 };
  for (const name of ['a', 'b']) {
    const window = createProcess(new Map(), name, clock, () => false);
    for (let index = 0; index < limit; index += 1) assert.ok(window.take(...principal).allowed);
    assert.ok(!window.take(...principal).allowed);
  }
});

test('a count is exchanged only from a twentieth of the limit on, and at most sixty times', () => {
  const due: number[] = [];
  const window = new SharedWindow(limit, {
    clock: () => 0,
    monotonic: () => 0,
    onDue: (count) => {
      due.push(count.usedHere);
      window.exchanged(count, count.usedHere, 0);
    },
  });
  for (let index = 0; index < 2 * limit; index += 1) window.take(...principal);
  assert.deepEqual(due.slice(0, 3), [first, first + step, first + 2 * step]);
  assert.ok(due.length <= 60, String(due.length));
});

const jump = fc.record({
  process: fc.nat({ max: 1 }),
  requests: fc.integer({ min: 1, max: 150 }),
  waitMs: fc.nat({ max: 70_000 }),
  jumpMs: fc.oneof(
    { weight: 4, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: -150_000, max: 150_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: -1000, max: 1000 }) },
  ),
});

test('a clock that is set back closes a minute to nobody a second time', () => {
  const [store, clock] = [new Map(), { monotonicMs: 0, aheadMs: 0 }];
  const [here, there] = createProcesses(2, store, [clock, clock]);
  while (there?.take(...principal).allowed === true);
  while (here?.take(...principal).allowed === true);
  clock.aheadMs = -50_000;
  clock.monotonicMs = countedWindowMs;
  for (let index = 0; index < limit; index += 1) assert.ok(here?.take(...principal).allowed, String(index));
  assert.equal(here?.take(...principal).resetSeconds, 50);
});

test('wherever the clocks jump, no process refuses for longer than a window', () => {
  fc.assert(
    fc.property(fc.array(jump, { maxLength: 60 }), (steps) => {
      const clocks = [0, 1].map(() => ({ monotonicMs: 0, aheadMs: 0 }));
      const processes = createProcesses(2, new Map(), clocks);
      const refusedSinceMs = [Infinity, Infinity];
      for (const { process, requests, waitMs, jumpMs } of steps) {
        for (const clock of clocks) clock.monotonicMs += waitMs;
        const clock = clocks[process];
        assert.ok(clock !== undefined);
        clock.aheadMs += jumpMs;
        for (let index = 0; index < requests; index += 1) {
          const { allowed, resetSeconds } = processes[process]?.take(...principal) ?? {};
          assert.ok(resetSeconds !== undefined && resetSeconds <= countedWindowMs / 1000);
          if (allowed === true) refusedSinceMs[process] = Infinity;
          else refusedSinceMs[process] = Math.min(refusedSinceMs[process] ?? Infinity, clock.monotonicMs);
        }
        const refusedForMs = clock.monotonicMs - (refusedSinceMs[process] ?? Infinity);
        assert.ok(refusedForMs < countedWindowMs, `refused for ${refusedForMs} ms`);
      }
    }),
  );
});
