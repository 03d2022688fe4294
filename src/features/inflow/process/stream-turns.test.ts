// Tests how requests to streams take turns, share turns and are refused.

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
  const slow = Array.from({ length: 5 }, (_, index) => turns.run(turn({ computerId: index + 1 }), () => promise));
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

type Batch = { readonly inputs: readonly string[]; end(failure?: Error): void };

/** Work that lasts until it is ended; an input that begins with `bad` fails. */
function createSharedWork() {
  const batches: Batch[] = [];
  const work = async (inputs: readonly string[]): Promise<Map<string, PromiseSettledResult<string>>> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    batches.push({ inputs, end: (failure) => (failure === undefined ? resolve() : reject(failure)) });
    await promise;
    return new Map(
      inputs.map((input) => [
        input,
        input.startsWith('bad')
          ? { status: 'rejected', reason: new Error(input) }
          : { status: 'fulfilled', value: `${input} done` },
      ]),
    );
  };
  return { batches, work };
}

/** Requests of computers of one bank, which are named by their inputs. */
function sendAll(turns: ReturnType<typeof createStreamTurns<string, string>>, inputs: readonly string[], lines = 1) {
  const { batches, work } = createSharedWork();
  const sent = inputs.map((input, index) => turns.runTogether(turn({ computerId: index + 1 }), { input, lines }, work));
  return { batches, results: Promise.allSettled(sent) };
}

const outcomes = (results: readonly PromiseSettledResult<string>[]): string[] =>
  results.map((result) => (result.status === 'fulfilled' ? result.value : String(result.reason.message)));

test('the requests that wait share the next turn, and each has its own result', async () => {
  const { batches, results } = sendAll(createStreamTurns(), ['a', 'b', 'c', 'bad d', 'e']);
  assert.deepEqual(
    batches.map(({ inputs }) => inputs),
    [['a'], ['b']],
  );
  batches[0]?.end();
  while (batches.length < 3) await Promise.resolve();
  assert.deepEqual(batches[2]?.inputs, ['c', 'bad d', 'e']);
  for (const batch of batches) batch.end();
  assert.deepEqual(outcomes(await results), ['a done', 'b done', 'c done', 'bad d', 'e done']);
  assert.equal(batches.length, 3);
});

test('what fails as a whole fails for all that share the turn, and for no other', async () => {
  const { batches, results } = sendAll(createStreamTurns(), ['a', 'b', 'c', 'd']);
  batches[0]?.end();
  while (batches.length < 3) await Promise.resolve();
  batches[2]?.end(new Error('away'));
  batches[1]?.end();
  assert.deepEqual(outcomes(await results), ['a done', 'b done', 'away', 'away']);
});

test('no more lines share a turn than a request can have alone', async () => {
  const { batches, results } = sendAll(createStreamTurns(), ['a', 'b', 'c', 'd', 'e'], 400);
  for (let index = 0; index < 4; index += 1) {
    while (batches.length <= index) await Promise.resolve();
    batches[index]?.end();
  }
  assert.deepEqual(
    batches.map(({ inputs }) => inputs),
    [['a'], ['b'], ['c', 'd'], ['e']],
  );
  assert.equal((await results).length, 5);
});

test('other banks, other streams and requests that need a turn of their own are not taken along', async () => {
  const turns = createStreamTurns<string, string>({ maxConcurrent: 2 });
  const { batches, work } = createSharedWork();
  const together = (change: Parameters<typeof turn>[0], input: string) =>
    turns.runTogether(turn(change), { input, lines: 1 }, work);
  const results = Promise.allSettled([
    together({ computerId: 1 }, 'a'),
    together({ computerId: 2 }, 'b'),
    together({ computerId: 3 }, 'c'),
    together({ computerId: 3, stream: 'samples' }, 'd'),
    together({ computerId: 3, bankId: 2 }, 'e'),
    turns.run(turn({ computerId: 4 }), async () => 'alone'),
    together({ computerId: 5 }, 'f'),
  ]);
  for (let index = 0; index < 5; index += 1) {
    while (batches.length <= index) await Promise.resolve();
    batches[index]?.end();
  }
  const values = await results;
  assert.deepEqual(batches.map(({ inputs }) => inputs.join()).toSorted(), ['a', 'b', 'c,f', 'd', 'e']);
  assert.deepEqual(outcomes(values).toSorted(), ['a done', 'alone', 'b done', 'c done', 'd done', 'e done', 'f done']);
});

test('one that is refused while it waits is not taken along later', async () => {
  const turns = createStreamTurns<string, string>({ maxWaitingPerKey: 2 });
  const { batches, work } = createSharedWork();
  const send = (computerId: number) =>
    turns.runTogether(turn({ computerId }), { input: `${computerId}`, lines: 1 }, work);
  const results = Promise.allSettled([1, 2, 3, 4].map(send));
  await assert.rejects(send(5), isBusy);
  batches[0]?.end();
  while (batches.length < 3) await Promise.resolve();
  assert.deepEqual(batches[2]?.inputs, ['3', '4']);
  for (const batch of batches) batch.end();
  assert.equal(
    (await results).every(({ status }) => status === 'fulfilled'),
    true,
  );
});
