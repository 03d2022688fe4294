// A backup or restore that is cut short, and databases that a restore must not touch.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openDatabases } from '../../src/database/databases.ts';
import type { TenantDatabase } from '../../src/database/tenant-database.ts';
import { restoreBackup } from '../../src/features/backups/commands/restore-backup.ts';
import { waitUntil } from '../support/async.ts';
import { readContentLines, restoreBytes, streamBytes, writeBackupBytes } from '../support/backups.ts';
import { seedDemoTenant } from '../support/demo-database.ts';
import { insertTestBank } from '../support/factories.ts';
import { runPortal, startPortal } from '../support/portal-process.ts';
import { createStorage, onBothEngines, startService, type TestStorage } from '../support/service.ts';
import { connectDirectly, openTestDatabase, storageAddressOf, tenant } from '../support/test-database.ts';
import { rollBackFrom } from '../database/support/older-schema.ts';

let folder: string;
/** Long enough that half of it has rows. */
let bytes: Buffer;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'portal-test-'));
  const source = await openTestDatabase('sqlite');
  await seedDemoTenant(source.database, tenant, { postings: 300 });
  bytes = await writeBackupBytes(source.database);
  await source.close();
});
after(() => rmSync(folder, { recursive: true }));

const portal = join(import.meta.dirname, '../../bin/portal.mjs');
const namespace = ['--user', '--map-root-user', '--mount', '--', '/bin/sh', '-c'];
const canMount = spawnSync('unshare', [...namespace, 'mount -t tmpfs none /tmp']).status === 0;

/** As an administrator does before a restore, while the service runs. */
async function moveAway(storage: TestStorage): Promise<void> {
  const address = storageAddressOf(storage);
  if (address.engine === 'sqlite') {
    for (const end of ['', '-wal', '-shm']) rmSync(join(address.directory, `${tenant}.sqlite${end}`), { force: true });
    return;
  }
  const outsider = await connectDirectly(address);
  await outsider.run(`drop database ${address.prefix}${tenant}`);
  await outsider.close();
}

/** Waits until a restore has come to the first tables with rows. */
const waitForRows = (database: TenantDatabase): Promise<void> =>
  waitUntil('rows are restored', async () => {
    const rows = await database
      .read({ deadlineMs: 5000 }, (db) => db.selectFrom('banks').select('bank_id').execute())
      .catch(() => []);
    return rows.length > 0;
  });

onBothEngines((engine) => {
  test('[backups.07] a restore that was killed leaves a database that nobody uses, and that the next restore takes over', async () => {
    const storage = await createStorage(engine);
    const settings = { PORTAL_STORAGE: storage.storageUrl };
    const pipe = join(folder, `${engine}.pipe`);
    assert.equal(spawnSync('mkfifo', [pipe]).status, 0);
    const restoring = startPortal(['restore', pipe, '--tenant', tenant], settings);
    // Opens when the command reads. The rest never comes.
    const writer = openSync(pipe, 'r+');
    const half = bytes.subarray(0, Math.floor(bytes.length / 2));
    for (let from = 0; from < half.length; from += 32_768) writeSync(writer, half.subarray(from, from + 32_768));
    const databases = openDatabases(storageAddressOf(storage));
    const { database } = databases.restoreInto(tenant);
    await waitForRows(database);
    restoring.signal('SIGKILL');
    await restoring.ended;
    closeSync(writer);
    const service = await startService(engine, { storage, tenants: [] });
    try {
      const login = () =>
        service.call('POST', '/api/v1/session/login', { body: { userName: 'nobody', password: 'no password' } });
      assert.deepEqual([(await login()).status, (await login()).json.code], [503, 'storage-unavailable']);
      const migrated = await runPortal(['migrate'], settings);
      assert.equal(migrated.code, 1);
      assert.match(
        migrated.stderr,
        /sund\b.*migrations: the restore of a backup has not finished\..*run `restore` again/,
      );
      await assert.rejects(restoreBytes(databases, bytes.subarray(0, -1)), /is damaged or cut short/);
      assert.equal((await login()).status, 503, 'also after a file that was cut short');
      await restoreBytes(databases, bytes);
      assert.deepEqual(
        readContentLines(await writeBackupBytes(databases.forTenant(tenant))).slice(1),
        readContentLines(bytes).slice(1),
      );
      assert.equal((await login()).status, 401, 'it is served without a restart');
      await assert.rejects(restoreBytes(databases, bytes), /it is not empty/);
    } finally {
      await service.stop();
      await databases.close();
      await storage.release();
    }
  });

  test('[backups.01] a service that was running before a restore serves nothing of it until it has finished', async () => {
    const storage = await createStorage(engine);
    const earlier = openDatabases(storageAddressOf(storage));
    await earlier.migrate(tenant);
    await earlier.close();
    const databases = openDatabases(storageAddressOf(storage));
    const service = await startService(engine, { storage, tenants: [] });
    const { promise: rest, resolve: sendRest } = Promise.withResolvers<void>();
    const source = async function* (): AsyncGenerator<Uint8Array, void> {
      yield bytes.subarray(0, 60_000);
      await rest;
      yield* streamBytes(bytes.subarray(60_000));
    };
    const login = async () => {
      const body = { userName: 'nobody', password: 'no password' };
      const { status, json } = await service.call('POST', '/api/v1/session/login', { body });
      return [status, json.code];
    };
    try {
      assert.deepEqual(await login(), [401, 'invalid-credentials']);
      await moveAway(storage);
      const target = databases.restoreInto(tenant);
      const input = { tenant, source: source(), keyFile: undefined, prepare: async () => {} };
      const restoring = restoreBackup(target, input);
      await waitForRows(target.database);
      assert.deepEqual(await login(), [503, 'storage-unavailable']);
      sendRest();
      await restoring;
      await waitUntil('it is served', async () => (await login())[0] === 401);
    } finally {
      sendRest();
      await service.stop();
      await databases.close();
      await storage.release();
    }
  });

  test('a restore whose database another one has taken over writes nothing more', async () => {
    const storage = await createStorage(engine);
    const [slow, fast] = [openDatabases(storageAddressOf(storage)), openDatabases(storageAddressOf(storage))];
    const { promise: other, resolve: finishOther } = Promise.withResolvers<void>();
    const source = async function* (): AsyncGenerator<Uint8Array, void> {
      yield bytes.subarray(0, 60_000);
      await other;
      yield* streamBytes(bytes.subarray(60_000));
    };
    try {
      const target = slow.restoreInto(tenant);
      const input = { tenant, source: source(), keyFile: undefined, prepare: async () => {} };
      const slowly = assert.rejects(restoreBackup(target, input), /another restore has taken over/);
      await waitForRows(target.database);
      await restoreBytes(fast, bytes);
      finishOther();
      await slowly;
      assert.deepEqual(
        readContentLines(await writeBackupBytes(fast.forTenant(tenant))).slice(1),
        readContentLines(bytes).slice(1),
      );
    } finally {
      await slow.close();
      await fast.close();
      await storage.release();
    }
  });

  test('[backups.07] a backup of an older schema is restored and migrated', async () => {
    const older = await openTestDatabase(engine);
    const outsider = await older.connectDirectly();
    const storage = await createStorage(engine);
    const databases = openDatabases(storageAddressOf(storage));
    try {
      await older.database.write({ deadlineMs: 10_000 }, (db) => insertTestBank(db, { bankId: 1001 }));
      const later = await rollBackFrom(outsider, '0029-computers');
      const written = await writeBackupBytes(older.databases.restoreInto(tenant).database);
      const { migrations } = await restoreBytes(databases, written);
      assert.deepEqual(migrations, later);
      assert.deepEqual(await databases.compareSchema(tenant), { missing: [], unknown: [], isRestoring: false });
      const banks = await databases
        .forTenant(tenant)
        .read({ deadlineMs: 10_000 }, (db) => db.selectFrom('banks').select('bank_id').execute());
      assert.deepEqual(banks, [{ bank_id: 1001 }]);
    } finally {
      await outsider.close();
      await older.close();
      await databases.close();
      await storage.release();
    }
  });
});

test('[backups.08] who is erased since a backup is erased again before the database can be used', async () => {
  const storage = await createStorage('sqlite');
  const file = join(folder, 'with-identities.backup');
  writeFileSync(file, bytes);
  const { code, stdout } = await runPortal(['restore', file, '--tenant', tenant], {
    PORTAL_STORAGE: storage.storageUrl,
  });
  assert.equal(code, 0);
  assert.match(stdout, /\nsund: \d+ expired, [1-9]\d* erased, \d+ keys removed\n/);
  const outsider = await connectDirectly(storageAddressOf(storage));
  const left = await outsider.run(
    'select count(*) as n from residents where expired_at is not null and erased_at is null',
  );
  await outsider.close();
  assert.deepEqual({ ...left[0] }, { n: 0 });
  await storage.release();
});

test('a backup that was killed leaves no file of its name, and the next one writes it', async () => {
  const storage = await createStorage('sqlite');
  const databases = openDatabases(storageAddressOf(storage));
  await restoreBytes(databases, bytes);
  await databases.close();
  const settings = { PORTAL_STORAGE: storage.storageUrl };
  const directory = mkdtempSync(join(folder, 'killed-'));
  const path = join(directory, 'sund.backup');
  const running = startPortal(['backup', path, '--tenant', tenant], settings);
  await waitUntil('it writes', () => readdirSync(directory).length > 0);
  running.signal('SIGKILL');
  await running.ended;
  assert.equal(existsSync(path), false);
  const again = await runPortal(['backup', path, '--tenant', tenant], settings);
  assert.equal(again.code, 0, again.stderr);
  assert.equal((await runPortal(['backup', 'verify', path])).code, 0);
  await storage.release();
});

test(
  'a backup that finds the disk full says so, and leaves nothing',
  { skip: canMount ? false : 'the system lets no test mount a disk for itself' },
  async () => {
    const storage = await createStorage('sqlite');
    const databases = openDatabases(storageAddressOf(storage));
    await restoreBytes(databases, bytes);
    await databases.close();
    const disk = mkdtempSync(join(folder, 'disk-'));
    const script =
      'mount -t tmpfs -o size=64k none "$1" && "$2" "$3" backup "$1/sund.backup" --tenant sund; echo "$?"; ls -A "$1"';
    const args = [...namespace, script, 'sh', disk, process.execPath, portal];
    const { stdout, stderr } = spawnSync('unshare', args, {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], PORTAL_STORAGE: storage.storageUrl },
    });
    assert.equal(stdout, '1\n', stderr);
    assert.match(stderr, /^error: .*sund\.backup cannot be used: ENOSPC \(write\)\n$/);
    await storage.release();
  },
);

test(
  '[backups.02] a restore that finds the disk full says so, nobody uses what it leaves, and it is restored when there is room',
  { skip: canMount ? false : 'the system lets no test mount a disk for itself' },
  async () => {
    const disk = mkdtempSync(join(folder, 'disk-'));
    const file = join(folder, 'for-a-small-disk.backup');
    writeFileSync(file, bytes);
    const script = `mount -t tmpfs -o size=1m none "$1"
      "$2" "$3" restore "$4" --tenant sund; echo "$?"
      mount -o remount,size=64m "$1"
      "$2" "$3" migrate; echo "$?"
      "$2" "$3" restore "$4" --tenant sund; echo "$?"`;
    const { stdout, stderr } = spawnSync(
      'unshare',
      [...namespace, script, 'sh', disk, process.execPath, portal, file],
      {
        encoding: 'utf8',
        cwd: folder,
        env: { PATH: process.env['PATH'], PORTAL_STORAGE: `sqlite:${disk}`, PORTAL_TENANTS: writeOnlyTenant(folder) },
      },
    );
    const [full, refused, ...restored] = stdout.split('\n');
    assert.deepEqual([full, refused, restored.at(-2)], ['1', '1', '0'], `${stdout}${stderr}`);
    assert.match(stderr, /^error: .*disk/);
    assert.match(stderr, /migrations: the restore of a backup has not finished/);
    assert.match(stdout, /\nsund: restored \d+ rows/);
  },
);

function writeOnlyTenant(directory: string): string {
  const file = join(directory, 'tenants.json');
  const sund = { name: tenant, displayName: 'Sund', country: 'DK', currency: 'DKK', timeZone: 'Europe/Copenhagen' };
  writeFileSync(file, JSON.stringify([sund]));
  return file;
}
