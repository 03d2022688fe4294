// The compressor compresses repeated answers once for each tenant and coding, and keeps a bounded number of bytes.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { TenantHost } from '../context/tenancy.ts';
import { codings } from './codings.ts';
import { Compressor } from './compressor.ts';

const hostOf = (name: string) => ({ tenant: { name } }) as TenantHost;
const tenantHost = hostOf('sund');
const small = 'a text that repeats itself. '.repeat(100);
const large = small.repeat(100);

test('a stored body is compressed once for each coding, synchronously or in a thread', async () => {
  for (const body of [small, large]) {
    const compressor = new Compressor();
    const stored = { tenantHost, etag: '"1"', body };
    const [first, second] = [compressor.compressStored(stored, 'gzip'), compressor.compressStored(stored, 'gzip')];
    assert.equal(await first, await second);
    assert.equal(compressor.compressStored(stored, 'gzip'), await first);
    assert.equal(gunzipSync(await first).toString(), body);
    const other = await compressor.compressStored(stored, 'zstd');
    assert.equal(zstdDecompressSync(other).toString(), body);
  }
});

test('no tenant gets the stored body of another, even if the entity tags are the same', async () => {
  const compressor = new Compressor();
  for (const [name, body] of [
    ['sund', small],
    ['fjord', small.toUpperCase()],
  ] as const) {
    const compressed = await compressor.compressStored({ tenantHost: hostOf(name), etag: '"1"', body }, 'gzip');
    assert.equal(gunzipSync(compressed).toString(), body);
  }
});

test('a body that is compressed for one request is not kept', async () => {
  const compressor = new Compressor();
  const once = await compressor.compress(small, 'zstd');
  assert.equal(zstdDecompressSync(once).toString(), small);
  assert.notEqual(await compressor.compress(small, 'zstd'), once);
  assert.notEqual(await compressor.compressStored({ tenantHost, etag: '"1"', body: small }, 'zstd'), once);
});

test('the stored bytes are bounded: the least recently used body is dropped', async () => {
  const compressor = new Compressor();
  // Twice as much as the bound allows: base64 gets a quarter smaller.
  const bodies = Array.from({ length: 160 }, () => randomBytes(100_000).toString('base64'));
  const compress = (at: number) =>
    compressor.compressStored({ tenantHost, etag: `"${at}"`, body: bodies[at] ?? '' }, 'zstd');
  const made: unknown[] = [];
  for (const at of bodies.keys()) made.push(await compress(at));
  assert.equal(await compress(159), made[159]);
  assert.notEqual(await compress(0), made[0]);
});

test('every coding is deterministic, so that HEAD has the same length as GET', async () => {
  for (const coding of codings)
    for (const body of [small, large]) {
      const [one, two] = [await new Compressor().compress(body, coding), await new Compressor().compress(body, coding)];
      assert.deepEqual(one, two);
    }
});
