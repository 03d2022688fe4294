// Works in turns: which run, which wait and for how long, which are refused, and which is the next.

import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { setImmediate as settle, setTimeout as pause } from 'node:timers/promises';
import * as fc from 'fast-check';
import { FairQueue, type FairQueueOptions, type Turn } from './fair-queue.ts';

const refusal = new Error('refused');

type State = 'waiting' | 'running' | 'done' | 'refused' | 'left';
type Work = { readonly name: string; state: State; end(): void };

/** `a1` is the first work of `a`, `a/1/x` one of the manager 1 of the tenant a. */
const keyOf = (name: string): string[] => (name.includes('/') ? name.split('/').slice(0, 2) : [name.slice(0, 1)]);

/** Works that run until they are ended. */
function createWorks(options: Partial<FairQueueOptions> = {}) {
  const queue = new FairQueue({ maxConcurrent: 1, createRefusal: () => refusal, ...options });
  const works: Work[] = [];
  const begun: string[] = [];
  const namesIn = (state: State): string[] => works.filter((work) => work.state === state).map(({ name }) => name);
  const addOne = (name: string, turn: Turn): void => {
    const { promise, resolve: end } = Promise.withResolvers<void>();
    const work: Work = { name, state: 'waiting', end };
    works.push(work);
    const begin = (): Promise<void> => {
      work.state = 'running';
      begun.push(name);
      return promise;
    };
    queue.run(begin, { key: keyOf(name), ...turn }).then(
      () => (work.state = 'done'),
      (error: unknown) => {
        assert.ok(error === refusal || error === turn.signal?.reason, String(error));
        work.state = error === refusal ? 'refused' : 'left';
      },
    );
  };
  const end = async (name: string): Promise<void> => {
    const work = works.find((each) => each.name === name && each.state === 'running');
    assert.ok(work !== undefined, `${name} does not run`);
    work.end();
    await settle();
  };
  return {
    queue,
    begun,
    add: (names: string, turn: Turn = {}): void => names.split(' ').forEach((name) => addOne(name, turn)),
    /** Ends the first of this name that runs. */
    end,
    /** Ends one after the other, and returns the names in the order in which they began since the last time. */
    endAll: async (): Promise<string> => {
      for (let [name] = namesIn('running'); name !== undefined; [name] = namesIn('running')) await end(name);
      assert.deepEqual([namesIn('waiting'), queue.waiting], [[], 0]);
      return begun.splice(0).join(' ');
    },
    running: () => namesIn('running').join(' '),
    waiting: () => namesIn('waiting').join(' '),
    refused: () => namesIn('refused').join(' '),
    left: () => namesIn('left').join(' '),
  };
}

test('no more works run than may; the others begin by the order in which they came', async () => {
  const { add, end, endAll, running, waiting } = createWorks({ maxConcurrent: 2 });
  add('a1 a2 a3 a4');
  assert.deepEqual([running(), waiting()], ['a1 a2', 'a3 a4'], 'those for which there is room begin at once');
  await end('a2');
  assert.equal(running(), 'a1 a3');
  assert.equal(await endAll(), 'a1 a2 a3 a4');
});

test('a work that fails gives its room to the next', async () => {
  for (const maxWaitMs of [0, 5000, undefined]) {
    const queue = new FairQueue({ maxConcurrent: 1, ...(maxWaitMs === undefined ? {} : { maxWaitMs }) });
    const failure = new Error('its own');
    const failing = assert.rejects(
      queue.run(() => Promise.reject(failure)),
      failure,
    );
    if (maxWaitMs !== 0) assert.equal(await queue.run(async () => 7), 7);
    await failing;
    assert.equal(await queue.run(async () => 7), 7);
  }
});

test('keys take turns, however much each has waiting, and each keeps its order', async () => {
  const { add, endAll } = createWorks();
  add('x a1 a2 a3 a4 b1 b2 c1');
  assert.equal(await endAll(), 'x a1 b1 c1 a2 b2 a3 a4');
});

test('a key that had its turn and nothing waiting comes after those that wait', async () => {
  const { add, end, endAll } = createWorks();
  add('x a1 b1 b2 c1');
  await end('x');
  add('a2');
  assert.equal(await endAll(), 'x a1 b1 c1 a2 b2');
});

test('tenants take turns, and within a tenant its managers do', async () => {
  for (const [added, order] of [
    ['a/1/x a/1/y a/1/z', 'a/1/x a/1/y a/1/z'],
    ['a/1/x a/1/y a/1/z b/1/x c/1/x b/1/y', 'a/1/x b/1/x c/1/x a/1/y b/1/y a/1/z'],
    ['a/1/x a/1/y a/2/x b/1/x b/1/y b/1/z', 'a/1/x b/1/x a/2/x b/1/y a/1/y b/1/z'],
  ] as const) {
    const { add, endAll } = createWorks();
    add(`0 ${added}`);
    assert.equal(await endAll(), `0 ${order}`);
  }
});

test('what is preferred comes first', async () => {
  const { add, endAll } = createWorks();
  add('0 a1 a2 b1');
  add('x1 x2 y1', { isPreferred: true });
  assert.equal(await endAll(), '0 x1 y1 x2 a1 b1 a2');
});

test('however much is preferred, of four works one is not while such works wait', async () => {
  const { add, endAll } = createWorks();
  add('0');
  add('x1 x2 x3 x4 x5 x6 x7 x8 x9', { isPreferred: true });
  add('a1 b1');
  assert.equal(await endAll(), '0 x1 x2 x3 a1 x4 x5 x6 b1 x7 x8 x9');
});

test('after three that are preferred comes a fourth where none of the others may begin', async () => {
  const { add, end, endAll, running } = createWorks({ maxConcurrent: 2, maxConcurrentPerKey: [1] });
  add('a1 0 a2');
  add('x1 x2 x3 x4', { isPreferred: true });
  for (const name of ['0', 'x1', 'x2', 'x3']) await end(name);
  assert.equal(running(), 'a1 x4');
  assert.equal(await endAll(), 'a1 0 x1 x2 x3 x4 a2');
});

test('three that are preferred and one that is not take turns, until either have come to their end', async () => {
  const counts = fc.tuple(fc.nat({ max: 30 }), fc.nat({ max: 30 }));
  await fc.assert(
    fc.asyncProperty(counts, async ([preferred, others]) => {
      const { add, endAll } = createWorks();
      add('0');
      for (let index = 0; index < others; index += 1) add('other');
      for (let index = 0; index < preferred; index += 1) add('preferred', { isPreferred: true });
      const rounds = Math.min(Math.floor(preferred / 3), others);
      const expected = [
        '0',
        ...Array.from({ length: rounds }, () => ['preferred', 'preferred', 'preferred', 'other']).flat(),
        ...Array<string>(preferred - 3 * rounds).fill('preferred'),
        ...Array<string>(others - rounds).fill('other'),
      ];
      assert.equal(await endAll(), expected.join(' '));
    }),
    { numRuns: 50 },
  );
});

test('a key has no more works running than it may, and what waits for one of them lets others by', async () => {
  const { add, end, endAll, running } = createWorks({ maxConcurrent: 3, maxConcurrentPerKey: [2] });
  add('a1 a2 a3 a4 b1 b2');
  assert.equal(running(), 'a1 a2 b1');
  await end('b1');
  assert.equal(running(), 'a1 a2 b2');
  await end('b2');
  assert.equal(running(), 'a1 a2');
  await end('a1');
  assert.equal(running(), 'a2 a3');
  assert.equal(await endAll(), 'a1 a2 b1 b2 a3 a4');
});

test('a manager, a tenant and all of them have no more running than they may; the next is of whoever has the fewest', async () => {
  const limits = { maxConcurrent: 4, maxConcurrentPerKey: [3, 2], order: 'fewest-running' } as const;
  const { add, end, endAll, running, waiting } = createWorks(limits);
  add('a/1 a/1 a/1 a/2 a/3 b/1 b/1 c/1');
  assert.equal(running(), 'a/1 a/1 a/2 b/1');
  assert.equal(waiting(), 'a/1 a/3 b/1 c/1');
  await end('a/2');
  assert.equal(running(), 'a/1 a/1 b/1 c/1', 'the tenant with the fewest');
  await end('b/1');
  assert.equal(running(), 'a/1 a/1 b/1 c/1');
  await end('a/1');
  assert.equal(running(), 'a/1 a/3 b/1 c/1', 'the manager with the fewest');
  await end('c/1');
  assert.equal(running(), 'a/1 a/1 a/3 b/1', 'the only one that waits');
  await endAll();
});

test('among tenants, and managers, that have as few running, the one that has waited longest for a turn is next', async () => {
  const { add, end, endAll } = createWorks({ maxConcurrent: 2, order: 'fewest-running' });
  add('a/1 b/1 b/2 a/2 a/3 b/3');
  await end('a/1');
  await end('b/1');
  await end('a/2');
  assert.equal(await endAll(), 'a/1 b/1 a/2 b/2 a/3 b/3');
});

test('where too many wait, the last work of the key with the most waiting makes room', async () => {
  const { add, endAll, begun, refused } = createWorks({ maxWaiting: 4 });
  add('0 a1 a2 a3 a4 b1 c1 d1 e1 a5');
  await settle();
  assert.deepEqual([begun.join(), refused()], ['0', 'a2 a3 a4 e1 a5']);
  assert.equal(await endAll(), '0 a1 b1 c1 d1');
});

test('what is preferred makes room among the others, and they never among it', async () => {
  const { add, endAll, refused } = createWorks({ maxWaiting: 2 });
  add('0 a1 b1');
  add('x1 y1 z1', { isPreferred: true });
  add('c1');
  assert.equal(await endAll(), '0 x1 y1');
  assert.equal(refused(), 'a1 b1 z1 c1');
});

test('a key has no more works waiting than it may, and others can wait', async () => {
  const { add, end, endAll, running, waiting, refused } = createWorks({ maxWaitingPerKey: 2 });
  add('a/1 a/1 a/1 a/1 a/2 b/1');
  await settle();
  assert.deepEqual([running(), waiting(), refused()], ['a/1', 'a/1 a/1 a/2 b/1', 'a/1']);
  await end('a/1');
  add('a/1');
  await settle();
  assert.equal(refused(), 'a/1', 'there is room again');
  await endAll();
});

test('a work that waits for too long is refused, and leaves nothing behind', async () => {
  const { add, end, endAll, refused } = createWorks({ maxWaiting: 1, maxWaitMs: 20 });
  add('a1 b1');
  await pause(40);
  assert.equal(refused(), 'b1');
  add('c1');
  await end('a1');
  assert.equal(await endAll(), 'a1 c1');
});

test('a work that goes on with something waits for as long as it takes, however many wait', async () => {
  const { add, endAll, waiting, refused } = createWorks({ maxWaiting: 1, maxWaitingPerKey: 1, maxWaitMs: 20 });
  add('a1');
  add('b1 b2 c1', { isContinued: true });
  add('c2 d1');
  await pause(40);
  assert.deepEqual([waiting(), refused()], ['b1 b2 c1', 'c2 d1']);
  assert.equal(await endAll(), 'a1 b1 c1 b2');
});

test('where nothing may wait, what finds no room is refused at once', async () => {
  const { add, end, endAll, running, refused } = createWorks({ maxConcurrent: 2, maxWaitMs: 0 });
  add('a1 a2 a3');
  await settle();
  assert.deepEqual([running(), refused()], ['a1 a2', 'a3']);
  await end('a1');
  add('a4');
  assert.equal(running(), 'a2 a4');
  await endAll();
});

test('what stops waiting is told why, and does not keep the next ones waiting', async () => {
  const { queue, add, end, endAll, running, left } = createWorks({ maxWaitMs: 60_000 });
  const controller = new AbortController();
  const { signal } = controller;
  add('a1 b1', { signal });
  add('c1');
  controller.abort(new Error('gone'));
  await settle();
  assert.deepEqual([running(), left(), queue.waiting], ['a1', 'b1', 1], 'work that has begun goes on');
  await end('a1');
  assert.equal(running(), 'c1');
  add('d1', { signal });
  await settle();
  assert.equal(left(), 'b1 d1', 'what has stopped already does not begin to wait');
  assert.equal(await endAll(), 'a1 c1');
  add('e1', { signal });
  await settle();
  assert.deepEqual([running(), left()], ['', 'b1 d1 e1'], 'and does not begin where there is room');
});

test('a work whose signal aborts when it has just got its turn does not begin, and the next one does', async () => {
  for (const form of ['run', 'acquire'] as const) {
    const queue = new FairQueue({ maxConcurrent: 1 });
    const release = await queue.acquire();
    const controller = new AbortController();
    const reason = new Error('gone');
    const { signal } = controller;
    const begun = form === 'run' ? queue.run(() => assert.fail('it began'), { signal }) : queue.acquire({ signal });
    const rejected = assert.rejects(begun, reason);
    const next = queue.run(async () => 'next');
    release();
    controller.abort(reason);
    await rejected;
    assert.equal(await next, 'next', form);
  }
});

test('a signal that aborts after its work has begun makes no room for others', async () => {
  const { add, end, endAll, running } = createWorks();
  const controller = new AbortController();
  add('a1');
  add('b1', { signal: controller.signal });
  add('c1');
  await end('a1');
  assert.deepEqual(getEventListeners(controller.signal, 'abort'), []);
  controller.abort(new Error('gone'));
  await settle();
  assert.equal(running(), 'b1');
  assert.equal(await endAll(), 'a1 b1 c1');
});

test('keys take turns as before when some of their works have left', async () => {
  const { add, endAll } = createWorks();
  const controller = new AbortController();
  add('0 a1 a2 b1');
  add('a3 b2 c1', { signal: controller.signal });
  add('a4 b3 d1');
  controller.abort(new Error('gone'));
  assert.equal(await endAll(), '0 a1 b1 d1 a2 b3 a4');
});

test('a work that is released twice makes room once', async () => {
  const { queue, add, endAll, running } = createWorks();
  const release = await queue.acquire();
  add('b1 c1');
  release();
  release();
  await settle();
  assert.equal(running(), 'b1');
  assert.equal(await endAll(), 'b1 c1');
});
