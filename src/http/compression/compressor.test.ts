// What is sent again and again is compressed once, for each tenant and coding, and no more is kept than a bounded number of
// bytes.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { TenantHost } from '../context/tenancy.ts';
import type { Representation } from '../representation.ts';
import { codings } from './codings.ts';
import { Compressor } from './compressor.ts';

const hostOf = (name: string) => ({ tenant: { name } }) as TenantHost;
const tenantHost = hostOf('sund');
const small = 'a text that repeats itself. '.repeat(100);
const large = small.repeat(100);

test('a stored body is compressed once for each coding, whether at once or in a thread', async () => {
  for (const body of [small, large]) {
    const compressor = new Compressor();
    const stored = { tenantHost, etag: '"1"', body };
    const [first, beside] = [compressor.compressStored(stored, 'gzip'), compressor.compressStored(stored, 'gzip')];
    assert.equal(await first, await beside);
    assert.equal(compressor.compressStored(stored, 'gzip'), await first);
    assert.equal(gunzipSync(await first).toString(), body);
    const other = await compressor.compressStored(stored, 'zstd');
    assert.equal(zstdDecompressSync(other).toString(), body);
  }
});

test('no tenant gets what was stored for another, though the entity tags are the same', async () => {
  const compressor = new Compressor();
  for (const [name, body] of [
    ['sund', small],
    ['fjord', small.toUpperCase()],
  ] as const) {
    const compressed = await compressor.compressStored({ tenantHost: hostOf(name), etag: '"1"', body }, 'gzip');
    assert.equal(gunzipSync(compressed).toString(), body);
  }
});

test('an image that was never asked for before is compressed, and not kept', () => {
  const compressor = new Compressor();
  const image: Representation = { body: small, mediaType: 'image/svg+xml', etag: '"1"', maxAgeSeconds: 1 };
  const bodyOf = (representation: Representation) =>
    compressor.compressImage(tenantHost, representation, 'zstd').body as Buffer;
  const unseen = bodyOf({ ...image, isNewlyRendered: true });
  assert.equal(zstdDecompressSync(unseen).toString(), small);
  assert.notEqual(bodyOf(image), unseen);
  assert.equal(bodyOf(image), bodyOf(image));
});

test('what is kept is bounded: the least recently used is dropped', async () => {
  const compressor = new Compressor();
  // Twice as much as there is room for: base64 gets a quarter smaller.
  const bodies = Array.from({ length: 160 }, () => randomBytes(100_000).toString('base64'));
  const compress = (at: number) =>
    compressor.compressStored({ tenantHost, etag: `"${at}"`, body: bodies[at] ?? '' }, 'zstd');
  const made: unknown[] = [];
  for (const at of bodies.keys()) made.push(await compress(at));
  assert.equal(await compress(159), made[159]);
  assert.notEqual(await compress(0), made[0]);
});

test('every coding is deterministic, so that HEAD has the length that GET has', async () => {
  for (const coding of codings)
    for (const body of [small, large]) {
      const [one, two] = [await new Compressor().compress(body, coding), await new Compressor().compress(body, coding)];
      assert.deepEqual(one, two);
    }
});
