// Processes that share a folder, die while they write, or have no space left on the disk.

import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  bytesIn,
  cacheUnderTest,
  eventually,
  listCachedKeys,
  put,
  testBounds,
} from '../../../test/support/variant-caches.ts';

const bounds = { maxVariants: 300, maxBytes: 100_000 };
const keysOf = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${name}${index}`);
const source = (path: string): string => JSON.stringify(join(import.meta.dirname, path));

/** A process that puts one variant after the other and prints how many there were; it ends after the last one. */
function writer(directory: string, name: string, { last = Infinity, limit = '' } = {}): ChildProcess {
  const program = `
    import { pino } from 'pino';
    import { VariantCache } from ${source('variant-cache.ts')};
    import { put } from ${source('../../../test/support/variant-caches.ts')};
    const log = pino({ level: 'warn' }, { write: (line) => console.log('warned ' + line) });
    const bounds = ${JSON.stringify({ ...testBounds, ...bounds, ttlMs: 86_400_000 })};
    const timing = { clock: Date.now, writeEveryMs: 1, sweepEveryMs: 10 };
    const cache = new VariantCache({ directory: ${JSON.stringify(directory)}, log, ...bounds, ...timing });
    await cache.opened();
    for (let at = 0; at < ${last}; at++) {
      put(cache, ${JSON.stringify(name)} + at);
      if (at % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      if (at % 100 === 0) console.log('put ' + at);
    }
    await cache.close();
    console.log('closed');`;
  const words = [process.execPath, '--input-type=module', '--eval', program];
  const command = limit === '' ? words : ['sh', '-c', `trap '' XFSZ; ulimit -f ${limit}; exec "$@"`, 'sh', ...words];
  const [first = '', ...rest] = command;
  return spawn(first, rest, { stdio: ['ignore', 'pipe', 'inherit'], cwd: import.meta.dirname });
}

/** The output of a process until it ended. */
async function saidBy(child: ChildProcess): Promise<string> {
  let said = '';
  child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await once(child, 'close');
  return said;
}

const real = { ...bounds, clock: Date.now };

test('a process that is killed while it writes leaves only whole files, including all earlier ones', async (t) => {
  const { directory, open, files } = cacheUnderTest(t);
  for (let round = 0; round < 4; round++) {
    const name = `r${round}-`;
    const child = writer(directory, name);
    let said = '';
    child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await eventually(() => said.includes(`put ${500 + round * 100}\n`));
    child.kill('SIGKILL');
    await once(child, 'close');
    assert.ok(files().length <= bounds.maxVariants);
    const before = new Set(files());
    const cache = await open(real);
    // Throws if a wrong variant is returned.
    const held = await listCachedKeys(cache, keysOf(name, 5000));
    assert.ok(held.length > 0, `${held.length} held`);
    await cache.close();
    // An incomplete file would have been removed.
    assert.deepEqual(new Set(files()), before);
  }
});

test('two processes that write at once keep the bounds, and each sees what the other wrote', async (t) => {
  const { directory, open, files } = cacheUnderTest(t);
  const writers = [writer(directory, 'one', { last: 2000 }), writer(directory, 'two', { last: 2000 })];
  for (const said of await Promise.all(writers.map(saidBy))) assert.match(said, /closed\n$/);
  assert.ok(files().length <= bounds.maxVariants && bytesIn(directory) <= bounds.maxBytes);
  const cache = await open(real);
  const held = await listCachedKeys(cache, [...keysOf('one', 2000), ...keysOf('two', 2000)]);
  assert.equal(held.length, bounds.maxVariants);

  const other = await open({ ...real, writeEveryMs: 1, sweepEveryMs: 1 });
  put(cache, 'of the one');
  assert.equal(other.read('of the one'), undefined);
  await cache.close();
  put(other, 'of the other');
  await eventually(async () => (await listCachedKeys(other, ['of the one', 'of the other'])).length === 2);
});

test('a file that another process removed counts as absent, and the index stays within bounds', async (t) => {
  const { open } = cacheUnderTest(t);
  const small = { maxVariants: 5 };
  const one = await open({ ...small, writeEveryMs: 1 });
  const keys = keysOf('k', 5);
  put(one, ...keys);
  await eventually(async () => (await listCachedKeys(one, keys)).length === 5);
  const other = await open(small);
  put(other, ...keysOf('other', 5));
  await other.close();
  // The one process still expects its own file; it learns of the removal only by a read.
  assert.deepEqual(await listCachedKeys(one, keys), []);
  assert.ok(keys.every((key) => one.read(key) === undefined));
});

test('[images.31] a full disk only disables the cache on disk', async (t) => {
  const { directory, open } = cacheUnderTest(t);
  const first = await open(real);
  put(first, 'before');
  await first.close();
  const before = readdirSync(directory);
  // No file may be written.
  const said = await saidBy(writer(directory, 'full', { last: 2000, limit: '0' }));
  assert.match(said, /closed\n$/);
  assert.equal(said.match(/warned/g)?.length, 1);
  assert.deepEqual(readdirSync(directory), before, 'and nothing unfinished is left');
  const cache = await open(real);
  put(cache, 'after');
  await cache.close();
  assert.deepEqual(await listCachedKeys(await open(real), ['before', 'after']), ['before', 'after']);
});
