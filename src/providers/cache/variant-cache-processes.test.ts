// Processes that share a file, that die while they write, and that have no room left on the disk.

import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { createTestCache, eventually, heldOf, put } from './cache-under-test.ts';

const bounds = { maxVariants: 300, maxBytes: 100_000 };
const keysOf = (name: string, count: number): string[] => Array.from({ length: count }, (_, at) => `${name}${at}`);

/** A process that puts one variant after the other and says how many there were; it ends by itself at the last. */
function writer(file: string, name: string, { last = Infinity, limit = '' } = {}): ChildProcess {
  const program = `
    import { pino } from 'pino';
    import { openVariantCache } from ${JSON.stringify(join(import.meta.dirname, 'variant-cache.ts'))};
    import { put } from ${JSON.stringify(join(import.meta.dirname, 'cache-under-test.ts'))};
    const log = pino({ level: 'warn' }, { write: (line) => console.log('warned ' + line) });
    const options = { ...${JSON.stringify(bounds)}, clock: Date.now, log, memoryBytes: 1000, batchEveryMs: 1 };
    const cache = openVariantCache({ file: ${JSON.stringify(file)}, ...options });
    await cache.opened;
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

/** What a process said until it ended. */
async function saidBy(child: ChildProcess): Promise<string> {
  let said = '';
  child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await once(child, 'close');
  return said;
}

const real = { ...bounds, clock: Date.now };
const soundness = 'pragma integrity_check';

test('a process that is killed while it writes leaves a sound file, and all that it wrote before', async (t) => {
  const { file, open, sql } = createTestCache(t);
  for (let round = 0; round < 4; round++) {
    const name = `r${round}-`;
    const child = writer(file, name);
    let said = '';
    child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await eventually(() => said.includes(`put ${500 + round * 100}\n`));
    child.kill('SIGKILL');
    await once(child, 'close');
    const cache = await open(real);
    // Throws where a wrong one is answered.
    const held = await heldOf(cache, keysOf(name, 5000));
    assert.ok(held.length > 0 && held.length <= bounds.maxVariants, `${held.length} held`);
    await cache.close();
    assert.deepEqual({ ...sql(soundness)[0] }, { integrity_check: 'ok' });
  }
});

test('two processes that write at once keep the bounds, and each sees what the other wrote', async (t) => {
  const { file, open, sql } = createTestCache(t);
  const writers = [writer(file, 'one', { last: 2000 }), writer(file, 'two', { last: 2000 })];
  for (const said of await Promise.all(writers.map(saidBy))) assert.match(said, /closed\n$/);
  assert.deepEqual({ ...sql(soundness)[0] }, { integrity_check: 'ok' });
  const cache = await open(real);
  const held = await heldOf(cache, [...keysOf('one', 2000), ...keysOf('two', 2000)]);
  assert.equal(held.length, bounds.maxVariants);

  const other = await open({ ...real, batchEveryMs: 1 });
  put(cache, 'of the one');
  await cache.close();
  assert.equal(other.get('of the one'), undefined);
  put(other, 'of the other');
  await eventually(async () => (await heldOf(other, ['of the one', 'of the other'])).length === 2);
});

test('what another process removed counts as absent, and the index stays within bounds', async (t) => {
  const { open } = createTestCache(t);
  const small = { maxVariants: 5, batchEveryMs: 1 };
  const one = await open(small);
  const keys = keysOf('k', 5);
  put(one, ...keys);
  await eventually(async () => (await heldOf(one, keys)).length === 5);
  const other = await open(small);
  put(other, ...keysOf('other', 5));
  await other.close();
  // The one still takes its own for present; it learns otherwise by asking.
  assert.deepEqual(await heldOf(one, keys), []);
  assert.ok(keys.every((key) => one.get(key) === undefined));
});

test('[images.31] a disk without room costs nothing but the disk', async (t) => {
  const { file, open, sql } = createTestCache(t);
  const first = await open(real);
  put(first, 'before');
  await first.close();
  // In blocks of 512 bytes, or of 1024: less than a few batches take.
  const said = await saidBy(writer(file, 'full', { last: 2000, limit: '48' }));
  assert.match(said, /closed\n$/);
  assert.equal(said.match(/warned/g)?.length, 1);
  assert.deepEqual({ ...sql(soundness)[0] }, { integrity_check: 'ok' });
  const cache = await open(real);
  await heldOf(cache, keysOf('full', 2000));
  put(cache, 'after');
  await cache.close();
  assert.deepEqual(await heldOf(await open(real), ['after']), ['after']);
});
