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
