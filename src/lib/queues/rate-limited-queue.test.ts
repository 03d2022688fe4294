// The queue of the requests to a provider: their rate, their concurrency, and how long they wait.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { RateLimitedQueue, type RateLimitedQueueOptions } from './rate-limited-queue.ts';

const refusal = new Error('refused');

const createQueue = (options: Partial<RateLimitedQueueOptions>): RateLimitedQueue =>
  new RateLimitedQueue({
    requestsPerSecond: 1000,
    maxConcurrent: 100,
    maxWaitMs: 2000,
    createRefusal: () => refusal,
    ...options,
  });

test('requests begin no faster than the rate, whoever sends them and however short they are', async () => {
  const queue = createQueue({ requestsPerSecond: 20 });
  const starts: number[] = [];
  await Promise.all(
    ['a', 'b', 'a', 'c', 'a'].map((key) => queue.run(async () => starts.push(performance.now()), { key: [key] })),
  );
  const gaps = starts.slice(1).map((start, index) => start - (starts[index] ?? 0));
  assert.equal(gaps.length, 4);
  for (const gap of gaps) assert.ok(gap >= 50, `${gap} ms`);
});

test('after a request that begins late, the next ones keep their distance from it', async () => {
  const queue = createQueue({ requestsPerSecond: 20 });
  const starts: number[] = [];
  const running = [1, 2, 3].map(() => queue.run(async () => starts.push(performance.now())));
  await running[0];
  // Both of the others are due when this thread comes back to them.
  const untilMs = performance.now() + 150;
  while (performance.now() < untilMs);
  await Promise.all(running);
  const [, second = 0, third = 0] = starts;
  assert.ok(third - second >= 50, `${third - second} ms`);
});

test('no more requests run at the same time than the limit allows', async () => {
  const queue = createQueue({ maxConcurrent: 2 });
  let running = 0;
  let most = 0;
  const request = async (): Promise<void> => {
    most = Math.max(most, (running += 1));
    await sleep(5);
    running -= 1;
  };
  await Promise.all(Array.from({ length: 10 }, () => queue.run(request)));
  assert.equal(most, 2);
});

test('a request that the rate would delay for too long is refused at once, and takes no turn', async () => {
  const queue = createQueue({ requestsPerSecond: 10, maxWaitMs: 150 });
  const startedMs = performance.now();
  const results = await Promise.allSettled(['a', 'b', 'c', 'd'].map((name) => queue.run(async () => name)));
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected', 'rejected'],
  );
  assert.ok(performance.now() - startedMs < 1000);
  await sleep(120);
  assert.equal(await queue.run(async () => 'later'), 'later');
});

test('a request that waits too long for others to end is refused', async () => {
  const queue = createQueue({ maxConcurrent: 1, maxWaitMs: 30 });
  const slow = queue.run(() => sleep(80));
  await assert.rejects(
    queue.run(async () => assert.fail('it was refused')),
    refusal,
  );
  await slow;
});

test('after a request that fails, the next one is run', async () => {
  const queue = createQueue({ maxConcurrent: 1 });
  await assert.rejects(
    queue.run(() => Promise.reject(new Error('its own'))),
    /its own/,
  );
  assert.equal(await queue.run(async () => 'next'), 'next');
});

test('among those that wait, keys take turns', async () => {
  const queue = createQueue({ maxConcurrent: 1 });
  const order: string[] = [];
  const names = ['a1', 'a2', 'a3', 'b1', 'c1'];
  await Promise.all(names.map((name) => queue.run(async () => void order.push(name), { key: [name.charAt(0)] })));
  assert.deepEqual(order, ['a1', 'a2', 'b1', 'c1', 'a3']);
});
