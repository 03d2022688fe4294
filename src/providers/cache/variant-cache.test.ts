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
  heldOf,
  put,
  svg,
  textOf,
} from '../../../test/support/variant-caches.ts';
import { bytesOf } from '../../../test/support/kept-bodies.ts';
import { DeflatedBytes, deflatePieces, heldBytesOf } from '../../lib/deflated-bytes.ts';
import { sha256 } from './variant-file.ts';

const numbered = (count: number): string[] => Array.from({ length: count }, (_, at) => `k${at}`);

test('a variant is in memory at once, rendered at a whole second', async (t) => {
  const { open, now, advance } = cacheUnderTest(t);
  const cache = await open({ memoryBytes: 100_000 });
  advance(456);
  const variant = cache.put('a', { type: svg, body: 'one', etag: '"1"' });
  assert.deepEqual(variant, { type: svg, body: 'one', etag: '"1"', renderedAtMs: now() - 456 });
  assert.deepEqual(cache.get('a'), variant);
  cache.put('a', { type: svg, body: 'two', etag: '"2"' });
  assert.equal(cache.get('a')?.body, 'two');
});

test('a large body is hashed in slices as a small one at once', async () => {
  for (const length of [0, 5, 1024 * 1024, 3 * 1024 * 1024 + 5]) {
    const body = Buffer.alloc(length, 'body');
    assert.deepEqual(await sha256(body), createHash('sha256').update(body).digest());
  }
});

test('[images.30] what is rendered outlives the process, and is read from disk once', async (t) => {
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

test('a miss is known at once', async (t) => {
  const { open } = cacheUnderTest(t);
  const cache = await open();
  put(cache, 'a');
  await cache.close();
  const other = await open();
  assert.deepEqual([other.get('b'), other.read('b')], [undefined, undefined]);
});

test('[images.30] at most so many variants are on disk, the newest', async (t) => {
  const { open, files, fileOf } = cacheUnderTest(t);
  const bounds = { maxVariants: 512, writeEveryMs: 1, sweepEveryMs: 1 };
  const cache = await open(bounds);
  const keys = numbered(1500);
  for (let at = 0; at < keys.length; at += 300) {
    put(cache, ...keys.slice(at, at + 300));
    await eventually(() => {
      assert.ok(files().length <= 512);
      return existsSync(fileOf(`k${at + 299}`));
    });
  }
  await cache.close();
  assert.deepEqual(await heldOf(await open(bounds), keys), keys.slice(-512));
});

test('[images.30] files on disk add up to at most so many bytes', async (t) => {
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
  assert.ok(numbered(40).every((key, at) => (other.read(key) !== undefined) === at >= 40 - count));
});

test('bounds that have become narrower hold from the start', async (t) => {
  const { open, files, advance } = cacheUnderTest(t);
  const first = await open();
  for (const key of numbered(20)) {
    advance(1);
    put(first, key);
  }
  await first.close();
  const second = await open({ maxVariants: 5 });
  assert.equal(files().length, 5);
  assert.deepEqual(await heldOf(second, numbered(20)), numbered(20).slice(-5));
  await open({ maxBytes: 100 });
  assert.deepEqual(files(), []);
});

test('what is too large is answered, and not kept', async (t) => {
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

test('deflated bytes are kept deflated, and bounded by what they take', async (t) => {
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

test('the least recently used variant goes first', async (t) => {
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
        assert.deepEqual(await heldOf(second, [key]), [key]);
      }
      advance(10);
      put(second, 'd');
      await second.close();
      assert.deepEqual(await heldOf(await open(bounds), ['a', 'b', 'c', 'd']), ['a', 'c', 'd']);
    }
});

test('[images.30] a variant is gone from memory and from disk 24 hours after it was rendered', async (t) => {
  const { open, advance, files } = cacheUnderTest(t);
  const bounds = { ttlMs: dayMs, memoryBytes: 100_000 };
  const cache = await open(bounds);
  put(cache, 'a');
  await cache.close();
  const [other, third] = [await open(bounds), await open(bounds)];
  advance(dayMs - 1000);
  assert.deepEqual(await heldOf(cache, ['a']), ['a']);
  assert.deepEqual(await heldOf(other, ['a']), ['a']);
  advance(1000);
  for (const each of [cache, other, third]) assert.deepEqual([each.get('a'), each.read('a')], [undefined, undefined]);
  await other.close();
  assert.deepEqual(files(), []);
});

test('what expires while nothing is asked for is removed from the disk, too', async (t) => {
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
    assert.deepEqual(await heldOf(second, ['used']), ['used']);
    await second.close();
    advance(40 * dayMs);
    assert.equal(first.get('unused'), undefined);
    const third = await open(bounds);
    assert.deepEqual(await heldOf(third, ['used', 'unused']), ['used']);
    await third.close();
    assert.equal(files().length, 1);
    advance(100 * dayMs);
    assert.equal(third.get('used'), undefined);
    assert.deepEqual(await heldOf(await open(bounds), ['used']), []);
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
  assert.deepEqual(await heldOf(active, ['a']), ['a']);
  await active.close();
  advance(60 * dayMs);
  await idle.close();
  assert.deepEqual(await heldOf(await open(bounds), ['a']), ['a']);
});

test('what was rendered after now is of a clock that was wrong, and is not answered', async (t) => {
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

test('memory goes on after the folder was let go of', async (t) => {
  const { open } = cacheUnderTest(t);
  const cache = await open({ memoryBytes: 100_000 });
  put(cache, 'a');
  await Promise.all([cache.close(), cache.close()]);
  put(cache, 'b');
  assert.deepEqual(await heldOf(cache, ['a', 'b']), ['a', 'b']);
  assert.deepEqual(await heldOf(await open(), ['a', 'b']), ['a']);
});

test('keys are told apart whatever is in them', async (t) => {
  const { open } = cacheUnderTest(t);
  const plain = ['', ' ', 'é', 'é', 'A', 'a', '../a', '%00', 'x'.repeat(5000), '🎈', '�'];
  const keys = [...plain, 'a\0b', 'a\nb', '\ud800', '\udc00'];
  const cache = await open();
  put(cache, ...keys);
  await cache.close();
  assert.deepEqual(await heldOf(await open(), keys), keys);
});

test('of a flood only the newest reach the disk, and no more than those are held', async (t) => {
  const { open } = cacheUnderTest(t);
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const cache = await open({ maxVariants: 512, maxBytes: 2 ** 25, memoryBytes: 2 ** 20 });
  collect();
  const before = process.memoryUsage().arrayBuffers;
  const filler = 'x'.repeat(1000);
  for (let at = 0; at < 100_000; at++) cache.put(`k${at}`, { type: svg, body: Buffer.from(filler + at), etag: '""' });
  let heldBytes = Number.POSITIVE_INFINITY;
  // What is collected is given back in a thread of its own.
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

test('a variant that was read holds no more memory than its own', async (t) => {
  const { open } = cacheUnderTest(t);
  const cache = await open();
  cache.put('a', { type: 'image/png', body: Buffer.from(textOf('a')), etag: '""' });
  await cache.close();
  const { body } = (await (await open()).read('a')) ?? assert.fail();
  assert.ok(Buffer.isBuffer(body));
  assert.equal(body.buffer.byteLength, body.length);
});
