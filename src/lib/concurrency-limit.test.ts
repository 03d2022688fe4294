// Who is let in at once, who waits, and who is refused.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { ConcurrencyLimit } from './concurrency-limit.ts';

const refused = new Error('too many');
const createLimit = (places: number, waitMs?: number): ConcurrencyLimit =>
  new ConcurrencyLimit(places, () => refused, waitMs);

/** Work that lasts until it is told to end. */
function work() {
  const { promise, resolve } = Promise.withResolvers<void>();
  let running = false;
  const run = async (): Promise<void> => {
    running = true;
    await promise;
  };
  return { run, end: resolve, isRunning: () => running };
}

test('whoever comes when all places are taken is refused, and let in when one is free again', async () => {
  const limit = createLimit(2);
  const [first, second] = [work(), work()];
  const held = [limit.run(first.run), limit.run(second.run)];
  await assert.rejects(limit.run(work().run), refused);
  first.end();
  await held[0];
  const third = work();
  const last = limit.run(third.run);
  assert.ok(third.isRunning());
  second.end();
  third.end();
  await Promise.all([...held, last]);
});

test('where there is a line, those in it come in by the order in which they came', async () => {
  const limit = createLimit(1, 5000);
  const works = [work(), work(), work()];
  const held = works.map(({ run }) => limit.run(run));
  for (const [at, { end }] of works.entries()) {
    assert.deepEqual(
      works.map(({ isRunning }) => isRunning()),
      works.map((_, which) => which <= at),
    );
    end();
    await held[at];
    await pause(1);
  }
});

test('who has waited too long is refused, and holds no place', async () => {
  const limit = createLimit(1, 20);
  const first = work();
  const held = limit.run(first.run);
  const late = work();
  await assert.rejects(limit.run(late.run), refused);
  first.end();
  await held;
  assert.ok(!late.isRunning());
  const next = work();
  const last = limit.run(next.run);
  assert.ok(next.isRunning());
  next.end();
  await last;
});

test('who leaves the line is told why, holds no place, and does not keep the next ones waiting', async () => {
  const limit = createLimit(1, 60_000);
  const [first, leaving, next] = [work(), work(), work()];
  const controller = new AbortController();
  const reason = new Error('gone');
  const held = limit.run(first.run, ['a'], controller.signal);
  const left = assert.rejects(limit.run(leaving.run, ['b'], controller.signal), reason);
  const last = limit.run(next.run, ['c']);
  controller.abort(reason);
  await left;
  // Work that has begun goes on.
  first.end();
  await held;
  assert.deepEqual([leaving.isRunning(), next.isRunning()], [false, true]);
  next.end();
  await last;
  await assert.rejects(limit.run(leaving.run, ['b'], controller.signal), reason);
  assert.equal(leaving.isRunning(), false);
  assert.equal(await limit.run(async () => 7), 7);
});

test('a signal that aborts after its call has begun takes no place from others', async () => {
  const limit = createLimit(1, 60_000);
  const [first, second, third] = [work(), work(), work()];
  const controller = new AbortController();
  const held = limit.run(first.run);
  const waiting = limit.run(second.run, [], controller.signal);
  const last = limit.run(third.run);
  first.end();
  await held;
  assert.ok(second.isRunning());
  controller.abort();
  await pause(1);
  assert.equal(third.isRunning(), false);
  second.end();
  await waiting;
  third.end();
  await last;
});

test('groups take turns as before when some of their calls have left', async () => {
  const limit = createLimit(1, 60_000);
  const order: string[] = [];
  const controller = new AbortController();
  const first = work();
  const held = limit.run(first.run, ['a']);
  const add = (name: string, signal?: AbortSignal): Promise<unknown> =>
    limit.run(async () => void order.push(name), [name.charAt(0)], signal);
  const stays = ['a1', 'a2', 'b1'].map((name) => add(name));
  const leaves = ['a3', 'b2', 'c1'].map((name) => assert.rejects(add(name, controller.signal)));
  stays.push(...['a4', 'b3', 'd1'].map((name) => add(name)));
  controller.abort();
  await Promise.all(leaves);
  first.end();
  await Promise.all([held, ...stays]);
  assert.deepEqual(order, ['a1', 'b1', 'd1', 'a2', 'b3', 'a4']);
});

test('a place is free again after work that failed', async () => {
  for (const waitMs of [0, 50]) {
    const limit = createLimit(1, waitMs);
    const failure = new Error('failed');
    await assert.rejects(
      limit.run(() => Promise.reject(failure)),
      failure,
    );
    assert.equal(await limit.run(async () => 7), 7);
  }
});
