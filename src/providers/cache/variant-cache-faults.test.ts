// Whatever happens to the file, nobody is told of it but the log, and never is a wrong byte answered.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { createTestCache, eventually, heldOf, put, type TestCache } from './cache-under-test.ts';

const keys = Array.from({ length: 60 }, (_, at) => `k${at}`);

/** A file with a variant for each of the keys, over several pages. */
async function filled(t: Parameters<typeof createTestCache>[0]): Promise<TestCache> {
  const under = createTestCache(t);
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

describe('[images.31] a file that is no use is begun anew', () => {
  const damages: Record<string, (file: string) => void> = {
    emptied: (file) => truncateSync(file),
    'cut in its header': (file) => truncateSync(file, 50),
    'cut after its first page': (file) => truncateSync(file, 4096),
    'cut in the middle': (file) => truncateSync(file, Math.floor(statSync(file).size / 2)),
    'cut by a byte': (file) => truncateSync(file, statSync(file).size - 1),
    'text instead': (file) => writeFileSync(file, 'This is no database. '.repeat(500)),
    'zeros instead': (file) => writeFileSync(file, Buffer.alloc(8192)),
    'its header overwritten': (file) => overwrite(file, 0, 100, 0xff),
    'its schema overwritten': (file) => overwrite(file, 0.0001, 4000, 0x2a),
    'overwritten after a third': (file) => overwrite(file, 0.34, 4096, 0xee),
    'overwritten in the middle': (file) => overwrite(file, 0.5, 4096, 0),
    'overwritten at its end': (file) => overwrite(file, 0.8, 100_000, 0x55),
    'of another version': (file) => {
      const database = new DatabaseSync(file);
      database.exec('pragma user_version = 9; drop table bodies');
      database.close();
    },
    'without its bodies': (file) => {
      const database = new DatabaseSync(file);
      database.exec('drop table bodies');
      database.close();
    },
    'with a number too large': (file) => {
      const database = new DatabaseSync(file);
      database.exec('update variants set used_ms = 9223372036854775807');
      database.close();
    },
    'with a journal of something else': (file) => {
      writeFileSync(file, 'no database');
      writeFileSync(`${file}-journal`, Buffer.alloc(4096, 0xd9));
    },
  };
  for (const [damage, damaged] of Object.entries(damages))
    test(damage, async (t) => {
      const { open, file, sql } = await filled(t);
      damaged(file);
      const cache = await open();
      // Throws where a wrong one is answered.
      await heldOf(cache, keys);
      put(cache, ...keys.slice(0, 30), 'new');
      await cache.close();
      const other = await open();
      assert.deepEqual(await heldOf(other, [...keys.slice(0, 30), 'new']), [...keys.slice(0, 30), 'new']);
      await other.close();
      assert.deepEqual({ ...sql('pragma integrity_check')[0] }, { integrity_check: 'ok' });
    });
});

test('[images.31] whatever is overwritten, only what was put is answered, and new variants are taken', async (t) => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const hit = fc.record({ share, bytes: fc.integer({ min: 1, max: 3000 }), byte: fc.nat(255) });
  const property = fc.asyncProperty(fc.array(hit, { minLength: 1, maxLength: 5 }), async (hits) => {
    const { open, file } = await filled(t);
    for (const each of hits) overwrite(file, each.share, each.bytes, each.byte);
    const cache = await open();
    await heldOf(cache, keys);
    put(cache, 'new');
    await cache.close();
    assert.deepEqual(await heldOf(await open(), ['new']), ['new']);
  });
  await fc.assert(property, { numRuns: 20 });
});

describe('[images.31] what stands in the way of the file stays, and memory goes on', () => {
  const obstacles: Record<string, (under: TestCache) => string> = {
    'a directory': ({ file }) => (mkdirSync(file), file),
    'a directory that is missing': ({ directory }) => join(directory, 'missing', 'images.sqlite'),
    'a file where a directory should be': ({ directory }) => {
      writeFileSync(join(directory, 'plain'), 'text');
      return join(directory, 'plain', 'images.sqlite');
    },
    'a device': () => '/dev/full',
    'a database of something else': ({ file }) => {
      const database = new DatabaseSync(file);
      database.exec('create table ledger (amount); insert into ledger values (1)');
      database.close();
      return file;
    },
  };
  for (const [obstacle, make] of Object.entries(obstacles))
    test(obstacle, async (t) => {
      const under = createTestCache(t);
      const file = make(under);
      const before = existsSync(file) ? statSync(file) : undefined;
      const cache = await under.open({ file, memoryBytes: 100_000, batchEveryMs: 1 });
      for (const key of keys) {
        put(cache, key);
        await new Promise(setImmediate);
      }
      assert.deepEqual(await heldOf(cache, keys), keys);
      assert.equal(cache.get('other'), undefined);
      await cache.close();
      assert.equal(under.warnings.length, 1, 'one line a minute');
      assert.match(under.warnings[0]?.msg ?? '', /in memory alone/);
      if (before !== undefined) assert.equal(statSync(file).ino, before.ino);
      else assert.ok(!existsSync(file));
      if (obstacle.startsWith('a database')) assert.equal(under.sql('select amount from ledger').length, 1);
    });
});

describe('a row that was changed behind our back is not answered, and goes', () => {
  const changes: Record<string, string> = {
    'its body': `update bodies set body = cast('<svg>k8</svg>' as blob) where id = 8`,
    'a bit of its body': `update bodies set body = cast('<svg>k7</sv>>' as blob) where id = 8`,
    'its type': `update bodies set type = 'text/html' where id = 8`,
    'its tag': `update bodies set etag = '"other"' where id = 8`,
    'its checksum': `update bodies set checksum = 'other' where id = 8`,
    'its time': `update variants set rendered_ms = rendered_ms + 1 where id = 8`,
    'its key': `update variants set key = 'other' where id = 8`,
    'all but its key, for those of another': `update bodies set (type, etag, checksum, body) =
      (select type, etag, checksum, body from bodies where id = 9) where id = 8`,
  };
  for (const [what, sql] of Object.entries(changes))
    test(what, async (t) => {
      const under = await filled(t);
      under.sql(sql);
      const cache = await under.open();
      const changed = what === 'its key' ? 'other' : 'k7';
      assert.ok(cache.get(changed) instanceof Promise);
      const others = keys.filter((key) => key !== 'k7');
      assert.deepEqual(await heldOf(cache, [...keys, 'other']), others);
      assert.equal(cache.get(changed), undefined);
      assert.deepEqual(under.sql('select id from variants where id = 8 union select id from bodies where id = 8'), []);
      put(cache, 'k7');
      await cache.close();
      assert.deepEqual(await heldOf(await under.open(), keys), keys);
    });
});

test('while somebody else has the file, reads wait for a moment and then go without it', async (t) => {
  const { open, file, warnings } = await filled(t);
  const cache = await open({ batchEveryMs: 20 });
  const other = new DatabaseSync(file);
  other.exec('begin exclusive');
  const reading = cache.get('k1');
  const meanwhile = cache.get('k2');
  assert.ok(reading instanceof Promise && meanwhile instanceof Promise);
  const first = await Promise.race([reading, new Promise((resolve) => setImmediate(resolve, 'still waiting'))]);
  assert.equal(first, 'still waiting');
  assert.deepEqual([await reading, await meanwhile], [undefined, undefined]);
  assert.equal(cache.get('k3'), undefined, 'at once, while the disk is left alone');
  put(cache, 'new');
  other.exec('rollback');
  other.close();
  await eventually(async () => (await heldOf(cache, ['k1', 'new'])).length === 2);
  assert.equal(warnings.length, 1);
});

test('a file that somebody else has at the start is used later', async (t) => {
  const { open, file } = await filled(t);
  const other = new DatabaseSync(file);
  other.exec('begin exclusive');
  const cache = await open({ batchEveryMs: 20 });
  assert.equal(cache.get('k1'), undefined);
  put(cache, 'new');
  other.exec('rollback');
  other.close();
  await eventually(async () => (await heldOf(cache, ['k1', 'new'])).length === 2);
});

test('a file that is removed, or replaced, is left and begun anew', async (t) => {
  const { open, file, directory } = await filled(t);
  const cache = await open({ batchEveryMs: 1 });
  rmSync(file);
  put(cache, 'a');
  await eventually(async () => (await heldOf(cache, ['a'])).length === 1);
  assert.equal(cache.get('k1'), undefined);

  const elsewhere = join(directory, 'elsewhere.sqlite');
  const another = await open({ file: elsewhere });
  put(another, 'b');
  await another.close();
  renameSync(elsewhere, file);
  put(cache, 'c');
  await eventually(async () => (await heldOf(cache, ['b', 'c'])).length === 2);
  assert.equal(cache.get('a'), undefined);
});

test('a directory that comes later is used then', async (t) => {
  const under = createTestCache(t);
  const directory = join(under.directory, 'later');
  const cache = await under.open({ file: join(directory, 'images.sqlite'), batchEveryMs: 1 });
  put(cache, 'a');
  await eventually(() => under.warnings.length > 0);
  mkdirSync(directory);
  await eventually(async () => (await heldOf(cache, ['a'])).length === 1);
});
