// Tests how long, how many and where variants of images are cached.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  bytesIn,
  cacheUnderTest,
  dayMs,
  eventually,
  listCachedKeys,
  put,
  svg,
  textOf,
} from '../../../test/support/variant-caches.ts';
import { bytesOf } from '../../../test/support/cached-bodies.ts';
import { DeflatedBytes, deflatePieces, heldBytesOf } from '../../lib/bytes/deflated-bytes.ts';
import { sha256 } from './variant-file.ts';

const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => `k${index}`);

test('a variant is in memory at once, and its time is a whole second', async (t) => {
  const { open, now, advance } = cacheUnderTest(t);
  const cache = await open({ memoryBytes: 100_000 });
  advance(456);
  const variant = cache.put('a', { type: svg, body: 'one', etag: '"1"' });
  assert.deepEqual(variant, { type: svg, body: 'one', etag: '"1"', renderedAtMs: now() - 456 });
  assert.deepEqual(cache.get('a'), variant);
  cache.put('a', { type: svg, body: 'two', etag: '"2"' });
  assert.equal(cache.get('a')?.body, 'two');
});

test('a large body, hashed in slices, gets the same hash as in one piece', async () => {
  for (const length of [0, 5, 1024 * 1024, 3 * 1024 * 1024 + 5]) {
    const body = Buffer.alloc(length, 'body');
    assert.deepEqual(await sha256(body), createHash('sha256').update(body).digest());
  }
});

test('[images.30] a variant outlives the process, and is read from disk once', async (t) => {
  const { open, advance } = cacheUnderTest(t);
  const first = await open();
  const variant = first.put('a', { type: 'image/png', body: Buffer.from([0, 10, 255]), etag: '"a"' });
  const empty = first.put('an empty body', { type: svg, body: '', etag: '"b"' });
  await first.close();
  advance(5000);
  const second = await open({ memoryBytes: 100_000 });
  assert.equal(second.get('a'), undefined);
  const [reading, again] = [second.read('a'), second.read('a')];
  assert.deepEqual(await reading, variant);
  assert.deepEqual(await again, variant);
  assert.deepEqual(second.get('a'), variant);
  assert.deepEqual(await second.read('an empty body'), empty);
});

test('a miss needs no disk access', async (t) => {
  const { open } = cacheUnderTest(t);
  const cache = await open();
  put(cache, 'a');
  await cache.close();
  const other = await open();
  assert.deepEqual([other.get('b'), other.read('b')], [undefined, undefined]);
});

test('[images.30] the number of variants on disk is bounded, and the newest stay', async (t) => {
  const { open, files, fileOf } = cacheUnderTest(t);
  const bounds = { maxVariants: 512, writeEveryMs: 1, sweepEveryMs: 1 };
  const cache = await open(bounds);
  const keys = numbered(1500);
  for (let index = 0; index < keys.length; index += 300) {
    put(cache, ...keys.slice(index, index + 300));
    await eventually(() => {
      assert.ok(files().length <= 512);
      return existsSync(fileOf(`k${index + 299}`));
    });
  }
  await cache.close();
  assert.deepEqual(await listCachedKeys(await open(bounds), keys), keys.slice(-512));
});

test('[images.30] the bytes of all files on disk are bounded', async (t) => {
  const { open, directory, fileOf, files } = cacheUnderTest(t);
  const bounds = { maxBytes: 10_000, writeEveryMs: 1 };
  const cache = await open(bounds);
  for (const key of numbered(40)) {
    cache.put(key, { type: svg, body: Buffer.alloc(799, key), etag: '""' });
    await eventually(() => {
      assert.ok(bytesIn(directory) <= 10_000);
      return existsSync(fileOf(key));
    });
  }
  await cache.close();
  const bytesEach = statSync(fileOf('k39')).size;
  const count = Math.floor(10_000 / bytesEach);
  assert.equal(files().length, count);
  const other = await open(bounds);
  assert.ok(numbered(40).every((key, index) => (other.read(key) !== undefined) === index >= 40 - count));
});

test('narrower bounds hold from the start', async (t) => {
  const { open, files, advance } = cacheUnderTest(t);
  const first = await open();
  for (const key of numbered(20)) {
    advance(1);
    put(first, key);
  }
  await first.close();
  const second = await open({ maxVariants: 5 });
  assert.equal(files().length, 5);
  assert.deepEqual(await listCachedKeys(second, numbered(20)), numbered(20).slice(-5));
  await open({ maxBytes: 100 });
  assert.deepEqual(files(), []);
});

test('a variant that is too large is returned, but not stored', async (t) => {
  const { open } = cacheUnderTest(t);
  const bounds = { maxVariantBytes: 100, memoryBytes: 100_000 };
  const cache = await open(bounds);
  assert.equal(heldBytesOf(cache.put('large', { type: svg, body: Buffer.alloc(101), etag: '""' }).body), 101);
  cache.put('fits', { type: svg, body: Buffer.alloc(100), etag: '""' });
  assert.equal(cache.get('large'), undefined);
  await cache.close();
  const other = await open(bounds);
  assert.equal(other.read('large'), undefined);
  assert.deepEqual((await other.read('fits'))?.body, Buffer.alloc(100));
});

test('deflated bytes are stored deflated, and count with their deflated size', async (t) => {
  const { open, fileOf } = cacheUnderTest(t);
  const bounds = { maxVariantBytes: 10_000, memoryBytes: 20_000 };
  const cache = await open(bounds);
  const content = Buffer.alloc(1_000_000, 'portal');
  const body = await deflatePieces(Readable.from([content]));
  cache.put('raw', { type: 'image/bmp', body, etag: '"raw"' });
  assert.equal(cache.get('raw')?.body, body);
  await cache.close();
  assert.ok(statSync(fileOf('raw')).size < 10_000);
  const variant = await (await open(bounds)).read('raw');
  assert.ok(variant?.body instanceof DeflatedBytes);
  assert.equal(variant.body.inflatedBytes, content.length);
  assert.ok(content.equals(await bytesOf(variant.body)));
});

test('the least recently used variant is removed first', async (t) => {
  for (const updateAgeOnGet of [false, true])
    for (const memoryBytes of [1, 100_000]) {
      const { open, advance } = cacheUnderTest(t);
      const bounds = { maxVariants: 3, memoryBytes, updateAgeOnGet };
      const first = await open(bounds);
      put(first, 'a', 'b', 'c');
      await first.close();
      const second = await open(bounds);
      for (const key of ['a', 'c']) {
        advance(10);
        assert.deepEqual(await listCachedKeys(second, [key]), [key]);
      }
      advance(10);
      put(second, 'd');
      await second.close();
      assert.deepEqual(await listCachedKeys(await open(bounds), ['a', 'b', 'c', 'd']), ['a', 'c', 'd']);
    }
});

test('[images.30] a variant is removed from memory and from disk 24 hours after it was rendered', async (t) => {
  const { open, advance, files } = cacheUnderTest(t);
  const bounds = { ttlMs: dayMs, memoryBytes: 100_000 };
  const cache = await open(bounds);
  put(cache, 'a');
  await cache.close();
  const [other, third] = [await open(bounds), await open(bounds)];
  advance(dayMs - 1000);
  assert.deepEqual(await listCachedKeys(cache, ['a']), ['a']);
  assert.deepEqual(await listCachedKeys(other, ['a']), ['a']);
  advance(1000);
  for (const each of [cache, other, third]) assert.deepEqual([each.get('a'), each.read('a')], [undefined, undefined]);
  await other.close();
  assert.deepEqual(files(), []);
});

test('a variant that expires while the cache is idle is removed from the disk, too', async (t) => {
  const { open, advance, files } = cacheUnderTest(t);
  const bounds = { ttlMs: dayMs };
  const cache = await open({ ...bounds, writeEveryMs: 1, sweepEveryMs: 1 });
  put(cache, 'a');
  await eventually(() => files().length === 1);
  advance(dayMs);
  await eventually(() => files().length === 0);
});

test('[icons.28] a variant that was not used for 100 days is removed, one that was used stays', async (t) => {
  const { open, advance, files } = cacheUnderTest(t);
  for (const memoryBytes of [1, 100_000]) {
    const bounds = { ttlMs: 100 * dayMs, updateAgeOnGet: true, memoryBytes };
    const first = await open(bounds);
    put(first, 'used', 'unused');
    await first.close();
    advance(60 * dayMs);
    const second = await open(bounds);
    assert.deepEqual(await listCachedKeys(second, ['used']), ['used']);
    await second.close();
    advance(40 * dayMs);
    assert.equal(first.get('unused'), undefined);
    const third = await open(bounds);
    assert.deepEqual(await listCachedKeys(third, ['used', 'unused']), ['used']);
    await third.close();
    assert.equal(files().length, 1);
    advance(100 * dayMs);
    assert.equal(third.get('used'), undefined);
    assert.deepEqual(await listCachedKeys(await open(bounds), ['used']), []);
  }
});

test('[icons.28] a variant that only another process uses stays', async (t) => {
  const { open, advance } = cacheUnderTest(t);
  const bounds = { ttlMs: 100 * dayMs, updateAgeOnGet: true };
  const first = await open(bounds);
  put(first, 'a');
  await first.close();
  const idle = await open(bounds);
  const active = await open(bounds);
  advance(60 * dayMs);
  assert.deepEqual(await listCachedKeys(active, ['a']), ['a']);
  await active.close();
  advance(60 * dayMs);
  await idle.close();
  assert.deepEqual(await listCachedKeys(await open(bounds), ['a']), ['a']);
});

test('a variant from the future, of a wrong clock, is not returned', async (t) => {
  const { open, advance, files } = cacheUnderTest(t);
  const cache = await open({ memoryBytes: 100_000 });
  advance(dayMs);
  put(cache, 'a');
  await cache.close();
  const before = await open();
  advance(-dayMs);
  assert.equal(cache.get('a'), undefined);
  assert.equal(before.read('a'), undefined);
  const other = await open();
  assert.equal(other.read('a'), undefined);
  await other.close();
  assert.deepEqual(files(), []);
});

test('the cache in memory works after the folder was closed', async (t) => {
  const { open } = cacheUnderTest(t);
  const cache = await open({ memoryBytes: 100_000 });
  put(cache, 'a');
  await Promise.all([cache.close(), cache.close()]);
  put(cache, 'b');
  assert.deepEqual(await listCachedKeys(cache, ['a', 'b']), ['a', 'b']);
  assert.deepEqual(await listCachedKeys(await open(), ['a', 'b']), ['a']);
});

test('any two different keys have different variants', async (t) => {
  const { open } = cacheUnderTest(t);
  const plain = ['', ' ', 'é', 'é', 'A', 'a', '../a', '%00', 'x'.repeat(5000), '🎈', '�'];
  const keys = [...plain, 'a\0b', 'a\nb', '\ud800', '\udc00'];
  const cache = await open();
  put(cache, ...keys);
  await cache.close();
  assert.deepEqual(await listCachedKeys(await open(), keys), keys);
});

test('of a flood only the newest variants reach the disk, and only those stay in memory for writing', async (t) => {
  const { open } = cacheUnderTest(t);
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const cache = await open({ maxVariants: 512, maxBytes: 2 ** 25, memoryBytes: 2 ** 20 });
  collect();
  const before = process.memoryUsage().arrayBuffers;
  const filler = 'x'.repeat(1000);
  for (let index = 0; index < 100_000; index++)
    cache.put(`k${index}`, { type: svg, body: Buffer.from(filler + index), etag: '""' });
  let heldBytes = Number.POSITIVE_INFINITY;
  // The collector frees memory in a thread of its own.
  for (let tries = 0; tries < 50 && heldBytes >= 8 * 2 ** 20; tries += 1) {
    collect();
    await pause(20);
    heldBytes = process.memoryUsage().arrayBuffers - before;
  }
  assert.ok(heldBytes < 8 * 2 ** 20, `${heldBytes} bytes`);
  await cache.close();
  const other = await open({ maxVariants: 512, maxBytes: 2 ** 25 });
  assert.deepEqual((await other.read('k99999'))?.body, Buffer.from(`${filler}99999`));
  const onDisk: string[] = [];
  for (const key of numbered(100_000)) if ((await other.read(key)) !== undefined) onDisk.push(key);
  assert.deepEqual(onDisk, numbered(100_000).slice(-512));
});

test('a variant that was read from disk holds only its own memory', async (t) => {
  const { open } = cacheUnderTest(t);
  const cache = await open();
  cache.put('a', { type: 'image/png', body: Buffer.from(textOf('a')), etag: '""' });
  await cache.close();
  const { body } = (await (await open()).read('a')) ?? assert.fail();
  assert.ok(Buffer.isBuffer(body));
  assert.equal(body.buffer.byteLength, body.length);
});
