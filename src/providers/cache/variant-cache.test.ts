import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createTestCache, dayMs, eventually, heldOf, put, textOf } from './cache-under-test.ts';
import { etagInSlices, etagOf } from './etag.ts';

const svg = 'image/svg+xml';
const numbered = (count: number): string[] => Array.from({ length: count }, (_, at) => `k${at}`);

test('a variant is there at once, with a strong tag of its bytes and a whole second', async (t) => {
  const { open, now, advance } = createTestCache(t);
  const cache = await open({ memoryBytes: 100_000 });
  advance(456);
  const body = Buffer.from('one');
  const variant = cache.put('a', svg, body);
  assert.deepEqual({ ...variant, body: body.toString() }, { ...variant, type: svg, body: 'one' });
  assert.equal(variant.renderedAtMs, now() - 456);
  assert.match(variant.etag, /^"[\w-]{43}"$/);
  assert.deepEqual(cache.get('a'), variant);
  assert.equal(cache.put('b', svg, Buffer.from('one')).etag, variant.etag);
  assert.notEqual(cache.put('a', svg, Buffer.from('two')).etag, variant.etag);
  assert.equal((cache.get('a') as typeof variant).body.toString(), 'two');
});

test('a large body is tagged in slices like a small one at once', async (t) => {
  const body = Buffer.alloc(3 * 1024 * 1024 + 5, 'body');
  const etag = await etagInSlices(body);
  assert.equal(etag, etagOf(body));
  const cache = await createTestCache(t).open();
  assert.equal(cache.put('a', svg, body, '"given"').etag, '"given"');
});

test('[images.30] what is rendered outlives the process, and is read from disk once', async (t) => {
  const { open, advance } = createTestCache(t);
  const first = await open();
  const variant = first.put('a', 'image/png', Buffer.from([1, 2, 3]));
  first.put('an empty body', svg, Buffer.alloc(0));
  await first.close();
  advance(5000);
  const second = await open({ memoryBytes: 100_000 });
  const [reading, again] = [second.get('a'), second.get('a')];
  assert.ok(reading instanceof Promise);
  assert.deepEqual(await reading, variant);
  assert.deepEqual(await again, variant);
  assert.deepEqual(second.get('a'), variant);
  assert.equal(second.get('an empty body'), undefined);
});

test('a miss is known at once', async (t) => {
  const { open } = createTestCache(t);
  const cache = await open();
  put(cache, 'a');
  await cache.close();
  assert.equal((await open()).get('b'), undefined);
});

test('[images.30] at most so many variants are on disk, the newest', async (t) => {
  const { open, sql } = createTestCache(t);
  const bounds = { maxVariants: 512, batchEveryMs: 1 };
  const cache = await open(bounds);
  const keys = numbered(1500);
  for (let at = 0; at < keys.length; at += 300) {
    put(cache, ...keys.slice(at, at + 300));
    await eventually(() => sql('select 1 from variants where key = ?', `k${at + 299}`).length === 1);
    assert.ok(Number(sql('select count(*) as count from variants')[0]?.['count']) <= 512);
  }
  await cache.close();
  assert.deepEqual(await heldOf(await open(bounds), keys), keys.slice(-512));
});

test('[images.30] bodies on disk add up to at most so many bytes', async (t) => {
  const { open, sql } = createTestCache(t);
  const bounds = { maxBytes: 10_000, batchEveryMs: 1 };
  const cache = await open(bounds);
  for (const key of numbered(40)) {
    cache.put(key, svg, Buffer.alloc(999, key));
    await eventually(() => sql('select 1 from variants where key = ?', key).length === 1);
    assert.ok(Number(sql('select sum(length(body)) as bytes from bodies')[0]?.['bytes']) <= 10_000);
  }
  await cache.close();
  assert.equal(sql('select count(*) as count from bodies')[0]?.count, 10);
  assert.equal(sql('select count(*) as count from variants')[0]?.count, 10);
  const other = await open(bounds);
  assert.ok(numbered(40).every((key, at) => other.get(key) instanceof Promise === at >= 30));
});

test('what is too large is answered, and not kept', async (t) => {
  const { open } = createTestCache(t);
  const bounds = { maxVariantBytes: 100, memoryBytes: 100_000 };
  const cache = await open(bounds);
  assert.equal(cache.put('large', svg, Buffer.alloc(101)).body.length, 101);
  cache.put('fits', svg, Buffer.alloc(100));
  assert.equal(cache.get('large'), undefined);
  await cache.close();
  const other = await open(bounds);
  assert.equal(other.get('large'), undefined);
  assert.equal((await other.get('fits'))?.body.length, 100);
});

test('the least recently used variant goes first', async (t) => {
  for (const memoryBytes of [1, 100_000]) {
    const { open, advance } = createTestCache(t);
    const bounds = { maxVariants: 3, memoryBytes };
    const first = await open(bounds);
    put(first, 'a', 'b', 'c');
    await first.close();
    const second = await open(bounds);
    for (const key of ['a', 'c']) {
      advance(10);
      assert.deepEqual(await heldOf(second, [key]), [key]);
    }
    advance(10);
    put(second, 'd');
    await second.close();
    assert.deepEqual(await heldOf(await open(bounds), ['a', 'b', 'c', 'd']), ['a', 'c', 'd']);
  }
});

test('[images.30] a variant is gone from memory and from disk 24 hours after it was rendered', async (t) => {
  const { open, advance, sql } = createTestCache(t);
  const bounds = { maxAgeMs: dayMs, memoryBytes: 100_000 };
  const cache = await open(bounds);
  put(cache, 'a');
  await cache.close();
  const other = await open(bounds);
  advance(dayMs - 1000);
  assert.deepEqual(await heldOf(cache, ['a']), ['a']);
  assert.deepEqual(await heldOf(other, ['a']), ['a']);
  advance(1000);
  assert.equal(cache.get('a'), undefined);
  assert.equal(other.get('a'), undefined);
  await other.close();
  assert.deepEqual(sql('select key from variants'), []);
  assert.deepEqual(sql('select id from bodies'), []);
});

test('what spoils while nothing is asked for is removed from the disk, too', async (t) => {
  const { open, advance, sql } = createTestCache(t);
  const bounds = { maxAgeMs: dayMs };
  const cache = await open(bounds);
  put(cache, 'a');
  await cache.close();
  advance(dayMs);
  await open({ ...bounds, batchEveryMs: 1 });
  await eventually(() => sql('select key from variants').length === 0);
});

test('[icons.28] a variant that was not used for 100 days is removed, one that was used stays', async (t) => {
  const { open, advance, sql } = createTestCache(t);
  const bounds = { maxIdleMs: 100 * dayMs, memoryBytes: 100_000 };
  const first = await open(bounds);
  put(first, 'used', 'unused');
  await first.close();
  advance(60 * dayMs);
  const second = await open(bounds);
  assert.deepEqual(await heldOf(second, ['used']), ['used']);
  await second.close();
  advance(40 * dayMs);
  assert.equal(first.get('unused'), undefined);
  const third = await open(bounds);
  assert.deepEqual(await heldOf(third, ['used', 'unused']), ['used']);
  await third.close();
  assert.deepEqual(
    sql('select key from variants').map(({ key }) => key),
    ['used'],
  );
  advance(100 * dayMs);
  assert.equal(third.get('used'), undefined);
});

test('what was rendered after now is of a clock that was wrong, and is not answered', async (t) => {
  const { open, advance, sql } = createTestCache(t);
  const cache = await open({ memoryBytes: 100_000 });
  advance(dayMs);
  put(cache, 'a');
  await cache.close();
  advance(-dayMs);
  assert.equal(cache.get('a'), undefined);
  const other = await open();
  assert.equal(other.get('a'), undefined);
  await other.close();
  assert.deepEqual(sql('select key from variants'), []);
});

test('memory goes on after the file was let go of', async (t) => {
  const { open } = createTestCache(t);
  const cache = await open({ memoryBytes: 100_000 });
  put(cache, 'a');
  await Promise.all([cache.close(), cache.close()]);
  put(cache, 'b');
  assert.deepEqual(await heldOf(cache, ['a', 'b']), ['a', 'b']);
  assert.deepEqual(await heldOf(await open(), ['a', 'b']), ['a']);
});

test('keys are told apart whatever is in them', async (t) => {
  const { open } = createTestCache(t);
  const keys = ['', ' ', 'é', 'é', 'A', 'a', "'; drop table variants", '%00', 'x'.repeat(5000), '🎈', '�'];
  const cache = await open();
  put(cache, ...keys, 'a\0b', '\ud800');
  await cache.close();
  assert.deepEqual(await heldOf(await open(), [...keys, 'a\0b', 'a', '\ud800']), [...keys, 'a']);
});

test('of a flood only the newest reach the disk, and no more than those are held', async (t) => {
  const { open } = createTestCache(t);
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const bounds = { maxVariants: 512, maxBytes: 2 ** 25, memoryBytes: 2 ** 20, batchEveryMs: 60_000 };
  const cache = await open(bounds);
  collect();
  const before = process.memoryUsage().arrayBuffers;
  const filler = 'x'.repeat(1000);
  for (let at = 0; at < 100_000; at++) cache.put(`k${at}`, svg, Buffer.from(filler + at));
  let heldBytes = Number.POSITIVE_INFINITY;
  // What is collected is given back in a thread of its own.
  for (let tries = 0; tries < 50 && heldBytes >= 8 * 2 ** 20; tries += 1) {
    collect();
    await pause(20);
    heldBytes = process.memoryUsage().arrayBuffers - before;
  }
  assert.ok(heldBytes < 8 * 2 ** 20, `${heldBytes} bytes`);
  await cache.close();
  const other = await open(bounds);
  assert.equal((await other.get('k99999'))?.body.toString(), `${filler}99999`);
  const onDisk = numbered(100_000).filter((key) => other.get(key) !== undefined);
  assert.deepEqual(onDisk, numbered(100_000).slice(-512));
});

test('a variant that is asked for again and again holds no more memory than its own', async (t) => {
  const { open } = createTestCache(t);
  const cache = await open({ memoryBytes: 100_000 });
  put(cache, 'a');
  const { body } = (await cache.get('a')) ?? assert.fail();
  assert.equal(body.toString(), textOf('a'));
  assert.equal(body.buffer.byteLength, body.length);
});
