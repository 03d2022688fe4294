import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../../../lib/problem.ts';
import { createStreamTurns } from './stream-turns.ts';

const turn = (change: Partial<Parameters<ReturnType<typeof createStreamTurns>['run']>[0]> = {}) => ({
  tenant: 'sund',
  bankId: 1,
  computerId: 1,
  stream: 'money',
  ...change,
});

const isBusy = (error: unknown): boolean =>
  error instanceof Problem && error.code === 'stream-busy' && (error.retryAfterSeconds ?? 0) >= 1;

test('one request of a stream runs at a time, and the next one after it', async () => {
  const turns = createStreamTurns();
  const { promise, resolve } = Promise.withResolvers<string>();
  const first = turns.run(turn(), () => promise);
  await assert.rejects(
    turns.run(turn(), async () => 'second'),
    isBusy,
  );
  assert.equal(await turns.run(turn({ stream: 'samples' }), async () => 'samples'), 'samples');
  resolve('first');
  assert.equal(await first, 'first');
  assert.equal(await turns.run(turn(), async () => 'again'), 'again');
});

test('a request that fails ends its turn', async () => {
  const turns = createStreamTurns();
  await assert.rejects(
    turns.run(turn(), () => Promise.reject(new Error('failed'))),
    /failed/,
  );
  assert.equal(await turns.run(turn(), async () => 'again'), 'again');
});

test('a bank whose requests last holds up no other, and too many of its own are refused', async () => {
  const turns = createStreamTurns({ maxWaitingPerKey: 3, maxWaitMs: 60_000 });
  const { promise, resolve } = Promise.withResolvers<string>();
  const slow = Array.from({ length: 5 }, (_, at) => turns.run(turn({ computerId: at + 1 }), () => promise));
  await assert.rejects(
    turns.run(turn({ computerId: 9 }), async () => 'refused'),
    isBusy,
  );
  assert.equal(await turns.run(turn({ bankId: 2 }), async () => 'other bank'), 'other bank');
  resolve('slow');
  assert.deepEqual(
    await Promise.all(slow),
    Array.from({ length: 5 }, () => 'slow'),
  );
});
