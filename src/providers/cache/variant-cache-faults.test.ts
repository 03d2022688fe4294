// Whatever happens to the folder, only the log reports it, and no wrong byte is returned.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import {
  cacheUnderTest,
  eventually,
  hang,
  listCachedKeys,
  put,
  type CacheUnderTest,
} from '../../../test/support/variant-caches.ts';

const keys = Array.from({ length: 60 }, (_, index) => `k${index}`);

/** A folder with a variant for each of the keys. */
async function filled(t: Parameters<typeof cacheUnderTest>[0]): Promise<CacheUnderTest> {
  const under = cacheUnderTest(t);
  const cache = await under.open();
  put(cache, ...keys);
  await cache.close();
  return under;
}

const overwrite = (file: string, share: number, bytes: number, byte: number): void => {
  const all = readFileSync(file);
  const from = Math.floor(all.length * share);
  writeFileSync(file, all.fill(byte, from, Math.min(from + bytes, all.length)));
};

/** Replaces a text in the file with another one, and leaves the hash unchanged. */
const replace = (file: string, text: string, by: string): void => {
  const before = readFileSync(file, 'latin1');
  assert.ok(before.includes(text), text);
  writeFileSync(file, before.replace(text, by), 'latin1');
};

describe('[images.31] an unusable file is not returned, and is removed', () => {
  const damages: Record<string, (file: string, other: string) => void> = {
    emptied: (file) => truncateSync(file),
    'cut in its hash': (file) => truncateSync(file, 20),
    'cut after its hash': (file) => truncateSync(file, 32),
    'cut in its head': (file) => truncateSync(file, 50),
    'cut by a byte': (file) => truncateSync(file, statSync(file).size - 1),
    'with a byte more': (file) => writeFileSync(file, ' ', { flag: 'a' }),
    'text instead': (file) => writeFileSync(file, 'This is no variant. '.repeat(50)),
    'zeros instead': (file) => writeFileSync(file, Buffer.alloc(8192)),
    'with another hash': (file) => overwrite(file, 0, 8, 0xff),
    'with another key': (file) => replace(file, '"key":"k7"', '"key":"k6"'),
    'with another type': (file) => replace(file, 'image/svg+xml', 'text/html'),
    'with another tag': (file) => replace(file, '"etag":"\\"2', '"etag":"\\"3'),
    'with another time': (file) => replace(file, '"renderedAtMs":1', '"renderedAtMs":2'),
    'with another body': (file) => replace(file, '>k7<', '>k8<'),
    'with a bit changed': (file) => replace(file, '</svg>', '</sv>>'),
    'a whole one of another key': (file, other) => copyFileSync(other, file),
    removed: (file) => unlinkSync(file),
  };
  for (const [damage, damaged] of Object.entries(damages))
    test(damage, async (t) => {
      const { open, fileOf } = await filled(t);
      for (const at of ['before', 'after']) {
        const early = at === 'after' ? await open() : undefined;
        damaged(fileOf('k7'), fileOf('k8'));
        const cache = early ?? (await open());
        const others = keys.filter((key) => key !== 'k7');
        assert.deepEqual(await listCachedKeys(cache, keys), others);
        assert.equal(cache.read('k7'), undefined, 'known at once the next time');
        assert.ok(!existsSync(fileOf('k7')));
        put(cache, 'k7');
        await cache.close();
        assert.deepEqual(await listCachedKeys(await open(), keys), keys);
      }
    });
});

test('[images.31] whatever is overwritten, only stored variants are returned, and new ones are accepted', async (t) => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const hit = fc.record({
    key: fc.constantFrom(...keys),
    share,
    bytes: fc.integer({ min: 1, max: 300 }),
    byte: fc.nat(255),
  });
  const property = fc.asyncProperty(fc.array(hit, { minLength: 1, maxLength: 20 }), async (hits) => {
    const { open, fileOf } = await filled(t);
    for (const { key, share: from, bytes, byte } of hits) overwrite(fileOf(key), from, bytes, byte);
    const cache = await open();
    // Throws if a wrong variant is returned.
    await listCachedKeys(cache, keys);
    put(cache, ...keys.slice(0, 30), 'new');
    await cache.close();
    assert.deepEqual(await listCachedKeys(await open(), [...keys.slice(0, 30), 'new']), [...keys.slice(0, 30), 'new']);
  });
  await fc.assert(property, { numRuns: 20 });
});

describe('[images.31] an obstacle in the place of the folder stays, and the cache in memory works', () => {
  const obstacles: Record<string, (under: CacheUnderTest) => string> = {
    'a file': ({ directory }) => (writeFileSync(directory, 'text'), directory),
    'a file above': ({ directory }) => (writeFileSync(directory, 'text'), join(directory, 'below', 'images')),
    'a device': () => '/dev/full',
    'a device above': () => '/dev/null/images',
    'a link to nowhere': ({ directory }) => (symlinkSync('/nowhere/at/all', directory), directory),
  };
  for (const [obstacle, make] of Object.entries(obstacles))
    test(obstacle, async (t) => {
      const under = cacheUnderTest(t);
      const directory = make(under);
      const before = existsSync(directory) ? statSync(directory) : undefined;
      const cache = await under.open({ directory, memoryBytes: 100_000, writeEveryMs: 1 });
      for (const key of keys) {
        put(cache, key);
        await new Promise(setImmediate);
      }
      assert.deepEqual(await listCachedKeys(cache, keys), keys);
      assert.deepEqual([cache.get('other'), cache.read('other')], [undefined, undefined]);
      await cache.close();
      assert.equal(under.warnings.length, 1, 'one line a minute');
      assert.match(under.warnings[0]?.msg ?? '', /only in memory/);
      if (before !== undefined) assert.equal(statSync(directory).ino, before.ino);
      else assert.ok(!existsSync(directory));
    });
});

test('other files in the folder stay, and do not count', async (t) => {
  const { open, directory, fileOf, files } = await filled(t);
  const foreign = ['ledger.sqlite', 'x'.repeat(64), `${'a'.repeat(64)}.tmp`, 'a'.repeat(63)];
  for (const name of foreign) writeFileSync(join(directory, name), 'text');
  mkdirSync(fileOf('a directory'));
  const cache = await open({ maxVariants: 3 });
  put(cache, 'new', 'a directory');
  await cache.close();
  assert.deepEqual(files().filter((name) => statSync(join(directory, name)).isFile()).length, 2);
  for (const name of foreign) assert.equal(readFileSync(join(directory, name), 'utf8'), 'text');
  assert.ok(statSync(fileOf('a directory')).isDirectory());
});

test('an unfinished temporary file is removed after a minute', async (t) => {
  const { open, fileOf, now } = await filled(t);
  const temporary = (at: number): string => `${fileOf('k1')}.01234567-89ab-cdef-0123-456789abcde${at}.tmp`;
  for (const [index, ageMs] of [59_000, 61_000].entries()) {
    writeFileSync(temporary(index), 'half of');
    utimesSync(temporary(index), (now() - ageMs) / 1000, (now() - ageMs) / 1000);
  }
  await open();
  assert.deepEqual([existsSync(temporary(0)), existsSync(temporary(1))], [true, false]);
});

test('only a few reads wait for a disk that hangs, and only briefly', async (t) => {
  const { open, fileOf } = await filled(t);
  const cache = await open({ writeEveryMs: 1, sweepEveryMs: 1, maxReadMs: 250 });
  const hanging = hang([fileOf('k0')]);
  const startedAtMs = performance.now();
  const readings = Array.from({ length: 200 }, (_, index) => cache.read(keys[index % keys.length] ?? ''));
  const waiting = readings.filter((reading) => reading !== undefined);
  assert.ok(waiting.length > 0 && waiting.length < 70, 'the others are rendered at once');
  assert.deepEqual(new Set(await Promise.all(waiting)), new Set([undefined]));
  assert.ok(performance.now() - startedAtMs < 2000);
  put(cache, 'new');
  await eventually(() => existsSync(fileOf('new')));
  hanging.release();
  await eventually(async () => (await listCachedKeys(cache, ['k50', 'new'])).length === 2);
});

test('a folder that is removed, or replaced, is used anew', async (t) => {
  const { open, directory, parent } = await filled(t);
  const cache = await open({ writeEveryMs: 1, sweepEveryMs: 1 });
  rmSync(directory, { recursive: true });
  await eventually(async () => {
    put(cache, 'a');
    return (await listCachedKeys(cache, ['a'])).length === 1;
  });
  assert.equal(await cache.read('k1'), undefined);

  const elsewhere = join(parent, 'elsewhere');
  const another = await open({ directory: elsewhere });
  put(another, 'b');
  await another.close();
  rmSync(directory, { recursive: true });
  renameSync(elsewhere, directory);
  await eventually(async () => {
    put(cache, 'c');
    return (await listCachedKeys(cache, ['b', 'c'])).length === 2;
  });
  assert.equal(await cache.read('a'), undefined);
});

test('a folder that cannot be used at the start is used later', async (t) => {
  const { open, directory, warnings } = cacheUnderTest(t);
  writeFileSync(directory, 'text');
  const cache = await open({ writeEveryMs: 1 });
  put(cache, 'a');
  assert.equal(warnings.length, 1);
  rmSync(directory);
  await eventually(async () => (await listCachedKeys(cache, ['a'])).length === 1);
});
