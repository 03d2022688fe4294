// A full disk: a write that meets it stores nothing and is refused as such, at every step, and writes work again as
// soon as there is room.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { createStorage, onBothEngines } from '../support/service.ts';
import { openTestDatabase } from '../support/test-database.ts';

const timeout = 60_000;
/** A file system in memory, which only the process has mounted. */
const withSmallDisk = 'mount -t tmpfs -o size=16m none "$1" && exec "$2" "$3" "$4" "$1"';
const namespace = ['--user', '--map-root-user', '--mount', '--', '/bin/sh', '-c'];
const canMount = spawnSync('unshare', [...namespace, 'mount -t tmpfs none /tmp']).status === 0;

onBothEngines((engine) => {
  test(
    'a write that finds the disk full is storage-unavailable and stores nothing; its key is carried out when there is room',
    { skip: canMount ? false : 'the system lets no test mount a disk for itself' },
    async () => {
      const disk = mkdtempSync(join(tmpdir(), 'portal-disk-'));
      const storage =
        engine === 'sqlite' ? { storageUrl: `sqlite:${disk}`, release: async () => {} } : await createStorage(engine);
      try {
        const program = join(import.meta.dirname, 'support/full-disk-writer.ts');
        const args = [...namespace, withSmallDisk, 'sh', disk, process.execPath, program, storage.storageUrl];
        const { stdout, stderr } = spawnSync('unshare', args, { timeout, encoding: 'utf8' });
        assert.notEqual(stdout, '', stderr);
        assert.deepEqual(JSON.parse(stdout), {
          refused: [503, 'storage-unavailable', '10'],
          again: [200, false],
          isHistoryRight: [true, true],
        });
      } finally {
        await storage.release();
        rmSync(disk, { recursive: true });
      }
    },
  );
});

describe('sqlite', () => {
  test('a COMMIT that reaches the largest size that a file may have is unavailable, and stores nothing', async () => {
    const scratch = await openTestDatabase('sqlite');
    const script = `
      import { openDatabases } from ${JSON.stringify(import.meta.resolve('../../src/database/databases.ts'))};
      const databases = openDatabases(${JSON.stringify(scratch.location)});
      const database = databases.forTenant('sund');
      const write = (name) => database.write({ deadlineMs: 20_000 }, (db) =>
        db.insertInto('tenant_settings').values({ name, value: 'x'.repeat(20_000) }).execute());
      let writes = 0;
      let failure;
      while (failure === undefined && writes < 1000)
        await write(String(writes)).then(() => (writes += 1), (error) => (failure = error.failure));
      const rows = await database.read({ deadlineMs: 20_000 }, (db) =>
        db.selectFrom('tenant_settings').select('name').execute());
      process.stdout.write(JSON.stringify({ failure, rows: rows.length - writes }));
      await databases.close();`;
    // In blocks of 512 bytes: the database fits, many writes to its log do not.
    const limited = 'ulimit -f 3000 && exec "$0" --input-type=module-typescript -e "$1"';
    const { stdout, stderr } = spawnSync('/bin/sh', ['-c', limited, process.execPath, script], {
      timeout,
      encoding: 'utf8',
    });
    assert.notEqual(stdout, '', stderr);
    assert.deepEqual(JSON.parse(stdout), { failure: 'unavailable', rows: 0 });
    await scratch.close();
  });
});
