// A cache of values that are read when they are first asked for.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPromiseCache } from './promise-cache.ts';

/** A read that the test answers when it wants to, and that counts how often it was started. */
function controlledRead() {
  const started: { resolve(value: string | undefined): void; reject(error: Error): void }[] = [];
  const read = (): Promise<string | undefined> =>
    new Promise((resolve, reject) => {
      started.push({ resolve, reject });
    });
  return { started, read };
}

test('reads of one key at the same time are one read, and its value is kept', async () => {
  const cache = createPromiseCache<string | undefined, string>({ max: 10 });
  const { started, read } = controlledRead();
  const both = Promise.all([cache.get('a', read), cache.get('a', read)]);
  assert.equal(cache.peek('a'), undefined);
  started[0]?.resolve('one');
  assert.deepEqual(await both, ['one', 'one']);
  assert.equal(await cache.get('a', read), 'one');
  assert.equal(cache.peek('a'), 'one');
  assert.equal(started.length, 1);
});

test('a read that fails, and one that finds nothing, are not kept', async () => {
  const cache = createPromiseCache<string | undefined, string>({ max: 10 });
  const { started, read } = controlledRead();
  const failing = cache.get('a', read);
  started[0]?.reject(new Error('storage is away'));
  await assert.rejects(failing, /storage is away/);
  const nothing = cache.get('a', read);
  started[1]?.resolve(undefined);
  assert.equal(await nothing, undefined);
  const found = cache.get('a', read);
  started[2]?.resolve('one');
  assert.equal(await found, 'one');
});

test('the age of an entry counts from before its read', async () => {
  let nowMs = 0;
  const cache = createPromiseCache<string | undefined, string>({ max: 10, maxAgeMs: 100, monotonic: () => nowMs });
  const { started, read } = controlledRead();
  const first = cache.get('a', read);
  nowMs = 90;
  started[0]?.resolve('one');
  await first;
  assert.equal(cache.peek('a'), 'one');
  nowMs = 100;
  assert.equal(cache.peek('a'), undefined);
  const second = cache.get('a', read);
  started[1]?.resolve('two');
  assert.equal(await second, 'two');
});

test('a value that was deleted while it was read is returned to those who wait, and not kept', async () => {
  for (const forget of ['delete', 'deleteWhere'] as const) {
    const cache = createPromiseCache<string | undefined, string>({ max: 10 });
    const { started, read } = controlledRead();
    const waiting = cache.get('a', read);
    if (forget === 'delete') cache.delete('a');
    else cache.deleteWhere((key, value) => key === 'a' && value === undefined);
    started[0]?.resolve('old');
    assert.equal(await waiting, 'old', forget);
    assert.equal(cache.peek('a'), undefined, forget);
    const fresh = cache.get('a', read);
    started[1]?.resolve('new');
    assert.equal(await fresh, 'new', forget);
  }
});

test('a read that finds nothing is returned to those who wait, also if its key was deleted or is read again', async () => {
  const cache = createPromiseCache<string | undefined, string>({ max: 10 });
  const { started, read } = controlledRead();
  const early = cache.get('a', read);
  cache.delete('a');
  const late = cache.get('a', read);
  started[0]?.resolve(undefined);
  assert.equal(await early, undefined);
  started[1]?.resolve('new');
  assert.equal(await late, 'new');
  assert.equal(cache.peek('a'), 'new');
});

test('a second read of a key can be deleted while it runs, also where the first one has ended', async () => {
  const cache = createPromiseCache<string | undefined, string>({ max: 10 });
  const { started, read } = controlledRead();
  const first = cache.get('a', read);
  cache.deleteWhere(() => true);
  const second = cache.get('a', read);
  started[0]?.resolve('oldest');
  assert.equal(await first, 'oldest');
  cache.deleteWhere(() => true);
  started[1]?.resolve('old');
  assert.equal(await second, 'old');
  assert.equal(cache.peek('a'), undefined);
});

test('entries are deleted by what they hold', async () => {
  const cache = createPromiseCache<number, string>({ max: 10 });
  for (const number of [1, 2, 3]) await cache.get(`key ${number}`, async () => number);
  cache.deleteWhere((_key, value) => value === 2);
  assert.deepEqual(
    [1, 2, 3].map((number) => cache.peek(`key ${number}`)),
    [1, undefined, 3],
  );
});

test('the least recently used entry goes first', async () => {
  const cache = createPromiseCache<number, string>({ max: 2 });
  await cache.get('a', async () => 1);
  await cache.get('b', async () => 2);
  await cache.get('a', async () => 0);
  await cache.get('c', async () => 3);
  assert.deepEqual([cache.peek('a'), cache.peek('b'), cache.peek('c')], [1, undefined, 3]);
});
