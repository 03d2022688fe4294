// Works in turns: bounded in number, one key after the other, and refused where most wait.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { FairQueue, type Turn } from './fair-queue.ts';

const refusal = new Error('refused');

function createBusyQueue(maxWaiting: number) {
  const queue = new FairQueue({ maxConcurrent: 1, maxWaiting, createRefusal: () => refusal });
  const order: string[] = [];
  const refused: string[] = [];
  const { promise, resolve: free } = Promise.withResolvers<void>();
  const works = [queue.run({ key: '' }, () => promise)];
  return {
    order,
    refused,
    add: (name: string, turn: Turn = { key: name.slice(0, 1) }): void => {
      works.push(
        queue
          .run(turn, async () => void order.push(name))
          .catch((error: unknown) => {
            assert.equal(error, refusal);
            refused.push(name);
          }),
      );
    },
    end: async () => {
      free();
      await Promise.all(works);
    },
  };
}

test('keys take turns, however much each has waiting, and each keeps its order', async () => {
  const { order, add, end } = createBusyQueue(100);
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) add(name);
  await end();
  assert.deepEqual(order, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
});

test('what is preferred comes first', async () => {
  const { order, add, end } = createBusyQueue(100);
  for (const name of ['a1', 'a2', 'b1']) add(name);
  for (const name of ['x1', 'x2', 'y1']) add(name, { key: name.slice(0, 1), isPreferred: true });
  await end();
  assert.deepEqual(order, ['x1', 'y1', 'x2', 'a1', 'b1', 'a2']);
});

test('however much is preferred, of four works one is not while such works wait', async () => {
  const { order, add, end } = createBusyQueue(100);
  for (let at = 1; at <= 9; at += 1) add(`x${at}`, { key: 'x', isPreferred: true });
  for (const name of ['a1', 'b1']) add(name);
  await end();
  assert.deepEqual(order, ['x1', 'x2', 'x3', 'a1', 'x4', 'x5', 'x6', 'b1', 'x7', 'x8', 'x9']);
});

test('three that are preferred and one that is not take turns, until either have come to their end', async () => {
  const counts = fc.tuple(fc.nat({ max: 30 }), fc.nat({ max: 30 }));
  await fc.assert(
    fc.asyncProperty(counts, async ([preferred, others]) => {
      const { order, add, end } = createBusyQueue(100);
      for (let at = 0; at < others; at += 1) add('other');
      for (let at = 0; at < preferred; at += 1) add('preferred', { key: 'x', isPreferred: true });
      await end();
      const rounds = Math.min(Math.floor(preferred / 3), others);
      const expected = [
        ...Array.from({ length: rounds }, () => ['preferred', 'preferred', 'preferred', 'other']).flat(),
        ...Array<string>(preferred - 3 * rounds).fill('preferred'),
        ...Array<string>(others - rounds).fill('other'),
      ];
      assert.deepEqual(order, expected);
    }),
    { numRuns: 50 },
  );
});

test('where too many wait, the last of the key with the most waiting makes room', async () => {
  const { order, refused, add, end } = createBusyQueue(4);
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'd1', 'e1', 'a5']) add(name);
  assert.deepEqual(order, []);
  await end();
  assert.deepEqual(order, ['a1', 'b1', 'c1', 'd1']);
  assert.deepEqual(refused.toSorted(), ['a2', 'a3', 'a4', 'a5', 'e1']);
});

test('what is preferred makes room among the others, and they never among it', async () => {
  const { order, refused, add, end } = createBusyQueue(2);
  add('a1');
  add('b1');
  for (const name of ['x1', 'y1', 'z1']) add(name, { key: name, isPreferred: true });
  add('c1');
  await end();
  assert.deepEqual(order, ['x1', 'y1']);
  assert.deepEqual(refused.toSorted(), ['a1', 'b1', 'c1', 'z1']);
});

test('a key has no more than its own places, and what waits for one lets others by', async () => {
  const queue = new FairQueue({
    maxConcurrent: 3,
    maxConcurrentPerKey: 2,
    maxWaiting: 9,
    createRefusal: () => refusal,
  });
  const begun: string[] = [];
  const free = new Map<string, () => void>();
  const works = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2'].map((name) =>
    queue.run({ key: name.slice(0, 1) }, () => {
      begun.push(name);
      return new Promise<void>((resolve) => free.set(name, resolve));
    }),
  );
  const end = async (name: string): Promise<void> => {
    free.get(name)?.();
    await new Promise(setImmediate);
  };
  assert.deepEqual(begun, ['a1', 'a2', 'b1']);
  await end('b1');
  assert.deepEqual(begun.splice(0), ['a1', 'a2', 'b1', 'b2']);
  await end('b2');
  assert.deepEqual(begun, []);
  await end('a1');
  assert.deepEqual(begun.splice(0), ['a3']);
  for (const name of ['a2', 'a3', 'a4']) await end(name);
  await Promise.all(works);
});

test('a work that waits for too long is refused, and another one has its turn', async () => {
  const queue = new FairQueue({ maxConcurrent: 1, maxWaiting: 1, maxWaitMs: 20, createRefusal: () => refusal });
  const { promise, resolve: free } = Promise.withResolvers<void>();
  const running = queue.run({ key: 'a' }, () => promise);
  await assert.rejects(
    queue.run({ key: 'b' }, () => assert.fail('it was refused')),
    refusal,
  );
  const next = queue.run({ key: 'c' }, async () => 'done');
  free();
  assert.equal(await next, 'done');
  await running;
});

test('a work that fails gives its place to the next', async () => {
  const queue = new FairQueue({ maxConcurrent: 1, maxWaiting: 9, createRefusal: () => refusal });
  const failing = queue.run({ key: 'a' }, () => Promise.reject(new Error('its own')));
  const next = queue.run({ key: 'a' }, async () => 'done');
  await assert.rejects(failing, /its own/);
  assert.equal(await next, 'done');
});

test('never more run or wait than may, and every work is run or refused once', async () => {
  const turns = fc.array(fc.record({ key: fc.constantFrom('a', 'b', 'c'), isPreferred: fc.boolean() }), {
    maxLength: 40,
  });
  const bounds = fc.record({
    maxConcurrent: fc.integer({ min: 1, max: 3 }),
    maxConcurrentPerKey: fc.integer({ min: 1, max: 3 }),
    maxWaiting: fc.nat({ max: 6 }),
  });
  await fc.assert(
    fc.asyncProperty(bounds, turns, async (places, wanted) => {
      const queue = new FairQueue({ ...places, createRefusal: () => refusal });
      const { maxConcurrent, maxConcurrentPerKey, maxWaiting } = places;
      const running: string[] = [];
      let ran = 0;
      const ends = await Promise.allSettled(
        wanted.map((turn) =>
          queue.run(turn, async () => {
            running.push(turn.key);
            assert.ok(running.length <= maxConcurrent);
            assert.ok(running.filter((key) => key === turn.key).length <= maxConcurrentPerKey);
            await new Promise(setImmediate);
            running.splice(running.indexOf(turn.key), 1);
            ran += 1;
          }),
        ),
      );
      const refused = ends.filter(({ status }) => status === 'rejected').length;
      assert.equal(ran + refused, wanted.length);
      const begunByKey = ['a', 'b', 'c'].map((each) =>
        Math.min(wanted.filter(({ key }) => key === each).length, maxConcurrentPerKey),
      );
      const begun = Math.min(
        maxConcurrent,
        begunByKey.reduce((sum, count) => sum + count, 0),
      );
      assert.ok(ran >= Math.min(wanted.length, begun) && ran <= maxConcurrent + maxWaiting);
      if (maxConcurrentPerKey >= maxConcurrent) assert.equal(ran, Math.min(wanted.length, maxConcurrent + maxWaiting));
    }),
    { numRuns: 50 },
  );
});
