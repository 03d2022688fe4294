// Reads that requests share: no request gets a read that began before it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SharedReads } from './shared-reads.ts';

/** Reads that end when they are told to. */
function createReads() {
  const shared = new SharedReads<number>();
  const begun: PromiseWithResolvers<number>[] = [];
  const get = (key = 'a'): Promise<number> =>
    shared.get(key, () => {
      const read = Promise.withResolvers<number>();
      begun.push(read);
      return read.promise;
    });
  return { begun, get };
}

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

test('requests that come while a read runs share the next one, and not that one', async () => {
  const { begun, get } = createReads();
  const first = get();
  const others = [get(), get(), get()];
  assert.equal(begun.length, 1);
  begun[0]?.resolve(1);
  assert.equal(await first, 1);
  await turn();
  assert.equal(begun.length, 2);
  const late = get();
  begun[1]?.resolve(2);
  assert.deepEqual(await Promise.all(others), [2, 2, 2]);
  await turn();
  assert.equal(begun.length, 3);
  begun[2]?.resolve(3);
  assert.equal(await late, 3);
});

test('the next read is that of the last request', async () => {
  const shared = new SharedReads<string>();
  const first = Promise.withResolvers<string>();
  const answers = [
    shared.get('a', () => first.promise),
    ...['second', 'third', 'last'].map((name) => shared.get('a', async () => name)),
  ];
  first.resolve('first');
  assert.deepEqual(await Promise.all(answers), ['first', 'last', 'last', 'last']);
});

test('the result of a read is not kept', async () => {
  const { begun, get } = createReads();
  const first = get();
  begun[0]?.resolve(1);
  await first;
  await turn();
  const second = get();
  begun[1]?.resolve(2);
  assert.equal(await second, 2);
});

test('reads of other things do not wait', async () => {
  const { begun, get } = createReads();
  const [one, other] = [get('a'), get('b')];
  assert.equal(begun.length, 2);
  begun[1]?.resolve(2);
  assert.equal(await other, 2);
  begun[0]?.resolve(1);
  assert.equal(await one, 1);
});

test('a failed read fails only for the requests that share it', async () => {
  const { begun, get } = createReads();
  const first = get();
  const others = [get(), get()];
  begun[0]?.reject(new Error('one'));
  await assert.rejects(first, /one/);
  await turn();
  begun[1]?.reject(new Error('two'));
  for (const each of others) await assert.rejects(each, /two/);
  await turn();
  const last = get();
  begun[2]?.resolve(3);
  assert.equal(await last, 3);
});
