// Failures of a SQLite file and its threads: each has its kind, none leaves half a write, and storage works again
// without a restart as soon as the cause is gone.

import { sql } from 'kysely';
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabases } from '../../src/database/databases.ts';
import { StorageError } from '../../src/database/errors.ts';
import type { Db, WriteDb } from '../../src/database/db.ts';
import { reasonWithout } from '../support/programs.ts';
import { storageError, waitUntil } from '../support/async.ts';
import {
  incrementCounter,
  findCounter,
  insertCounters,
  openTestDatabase,
  longDeadline,
  insertCounter,
  sqliteFile,
  readCounter,
  tenant,
  type TestDatabase,
} from '../support/test-database.ts';
import { sqliteThreads } from './support/sqlite-threads.ts';

let scratch: TestDatabase;
let file: string;
beforeEach(async () => {
  scratch = await openTestDatabase('sqlite');
  file = sqliteFile(scratch.location);
  await insertCounters(scratch, 2);
});
afterEach(() => scratch.close());

const read = (isSingleStatement = false): Promise<number | undefined> =>
  scratch.database.read({ ...longDeadline, isSingleStatement }, (db) => findCounter(db, 2));
const write = (): Promise<void> => scratch.database.write(longDeadline, (db) => incrementCounter(db, 2));
const unavailable = storageError('unavailable');

const longText = (db: Db, length: number): Promise<unknown> =>
  sql`insert into idempotency_records values (1, 'k', 'h', 1, 200, ${'x'.repeat(length)}, null)`.execute(db);

test(
  '[general.27] a COMMIT whose log is written but cannot be synchronised has an unknown outcome: a crash could bring it back',
  { skip: reasonWithout('strace') },
  async () => {
    await write();
    // The system calls fail in every thread of this process until strace ends.
    const traced = 'trace=fdatasync,fsync';
    const injected = 'inject=fdatasync,fsync:error=EIO';
    const pid = String(process.pid);
    const tracer = spawn('strace', ['-f', '-p', pid, '-o', '/dev/null', '-e', traced, '-e', injected]);
    let said = '';
    tracer.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    try {
      await waitUntil('strace is attached', () => said.includes('attached') || tracer.exitCode !== null);
      await assert.rejects(write(), storageError('outcome-unknown'), said);
    } finally {
      if (tracer.exitCode === null) {
        tracer.kill('SIGINT');
        await once(tracer, 'exit');
      }
    }
    assert.equal(await read(), 1, 'nobody sees it');
    await write();
    assert.equal(await read(), 2, 'the next write takes its place');
  },
);

test('a full disk: unavailable, and nothing of the write is stored, even if its work ignores the error', async () => {
  const full = scratch.database.write(longDeadline, async (db) => {
    await sql.raw(`pragma max_page_count = ${statSync(file).size / 4096 + 2}`).execute(db);
    await incrementCounter(db, 2, 100);
    // SQLite rolls the whole transaction back with this statement, and would commit the next by itself.
    await longText(db, 100_000).catch(() => undefined);
    await insertCounter(db, 9).catch(() => undefined);
  });
  await assert.rejects(full, unavailable);
  assert.deepEqual([await read(), await readCounter(scratch, 9)], [0, undefined]);
  await write();
  assert.equal(await read(), 1);
});

test('a full disk: statements sent together with the one that fails are not stored separately', async () => {
  const full = scratch.database.write(longDeadline, async (db) => {
    await sql.raw(`pragma max_page_count = ${statSync(file).size / 4096 + 2}`).execute(db);
    await Promise.all([incrementCounter(db, 2, 100), longText(db, 100_000), insertCounter(db, 9)]);
  });
  await assert.rejects(full, unavailable);
  assert.deepEqual([await read(), await readCounter(scratch, 9)], [0, undefined]);
});

const damages: Readonly<Record<string, (size: number) => void>> = {
  'that is no database': () => writeFileSync(file, 'this is not a database'.repeat(1000)),
  'that is cut short': (size) => truncateSync(file, size / 2),
  'with damaged pages': (size) =>
    writeFileSync(file, Buffer.concat([readFileSync(file).subarray(0, 4096), Buffer.alloc(size - 4096, 0xa5)])),
};
for (const [kind, damage] of Object.entries(damages))
  test(`a file ${kind}: unavailable until it is whole again`, async (t) => {
    await scratch.databases.close();
    // Connections that close at the same time can leave rows in the write-ahead log.
    const session = new DatabaseSync(file);
    session.exec('pragma wal_checkpoint(truncate)');
    session.close();
    const whole = `${file}.whole`;
    copyFileSync(file, whole);
    damage(statSync(file).size);
    const databases = openDatabases(scratch.location);
    t.after(() => databases.close());
    const database = databases.forTenant(tenant);
    await assert.rejects(
      database.read(longDeadline, (db) => findCounter(db, 2)),
      unavailable,
    );
    await assert.rejects(
      database.write(longDeadline, (db) => incrementCounter(db, 2)),
      unavailable,
    );
    for (const side of ['-wal', '-shm']) rmSync(file + side, { force: true });
    copyFileSync(whole, file);
    await database.write(longDeadline, (db) => incrementCounter(db, 2));
    assert.equal(await database.read(longDeadline, (db) => findCounter(db, 2)), 1);
  });

test('a database that was never created: unavailable, and opening does not create it', async (t) => {
  const directory = join(mkdtempSync(join(tmpdir(), 'portal-test-')), 'data');
  const databases = openDatabases({ engine: 'sqlite', directory });
  t.after(() => databases.close());
  const database = databases.forTenant(tenant);
  await assert.rejects(
    database.read(longDeadline, (db) => findCounter(db, 2)),
    unavailable,
  );
  await assert.rejects(
    database.write(longDeadline, (db) => incrementCounter(db, 2)),
    unavailable,
  );
  await assert.rejects(databases.compareSchema(tenant), unavailable);
  assert.equal(existsSync(directory), false);
  await databases.migrate(tenant);
  assert.equal(await database.read(longDeadline, (db) => findCounter(db, 1)), 0);
  rmSync(dirname(directory), { recursive: true });
});

test('a new file that another process is about to write: the service waits for it', async (t) => {
  await scratch.databases.close();
  for (const side of ['', '-wal', '-shm']) rmSync(file + side, { force: true });
  const outsider = await scratch.connectDirectly();
  t.after(() => outsider.close());
  await outsider.run('begin immediate');
  const databases = openDatabases(scratch.location);
  t.after(() => databases.close());
  const migrating = databases.migrate(tenant);
  const reading = databases.compareSchema(tenant);
  await waitUntil('both are at it', () => sqliteThreads() === 2);
  await sleep(150);
  await outsider.run('commit');
  const { missing } = await reading;
  assert.ok(missing.length === 0 || missing.length === (await migrating).length);
  assert.ok((await migrating).length > 0);
});

test('a file that is closed while threads still open it: the threads end', async () => {
  await scratch.databases.close();
  for (const side of ['', '-wal', '-shm']) rmSync(file + side, { force: true });
  const outsider = await scratch.connectDirectly();
  await outsider.run('begin immediate');
  const databases = openDatabases(scratch.location);
  const reading = databases.compareSchema(tenant).catch((error: unknown) => error);
  await waitUntil('a thread is at it', () => sqliteThreads() === 1);
  await databases.close();
  assert.equal(sqliteThreads(), 0);
  // A thread that waits until its timeout fails as busy.
  const { failure, cause } = (await reading) as StorageError;
  assert.deepEqual([failure, (cause as Error).name], ['unavailable', 'SqliteThreadEnded']);
  await outsider.close();
});

for (const isSingleStatement of [false, true])
  test(`a deleted file: unavailable until it is back, so that no write is lost${isSingleStatement ? ', also for one statement' : ''}`, async () => {
    await write();
    assert.equal(await read(isSingleStatement), 1);
    const away = `${file}.away`;
    for (const side of ['', '-wal', '-shm']) renameSync(file + side, away + side);
    await assert.rejects(write(), unavailable);
    await waitUntil('a read notices', () =>
      read(isSingleStatement).then(
        () => false,
        (error: unknown) => isUnavailable(error),
      ),
    );
    assert.equal(existsSync(file), false);
    for (const side of ['', '-wal', '-shm']) renameSync(away + side, file + side);
    await write();
    assert.equal(await read(isSingleStatement), 2);
  });

for (const [name, work] of [
  ['whatever its work makes of the error', (db: WriteDb) => incrementCounter(db, 2).catch(() => {})],
  ['even where its work has no statement', async () => {}],
] as const)
  test(`a write that cannot begin is unavailable, and nothing of it is stored, ${name}`, async () => {
    await write();
    const away = `${file}.away`;
    for (const side of ['', '-wal', '-shm']) renameSync(file + side, away + side);
    await assert.rejects(scratch.database.write(longDeadline, work), unavailable);
    for (const side of ['', '-wal', '-shm']) renameSync(away + side, file + side);
    assert.equal(await read(), 1);
    await write();
    assert.equal(await read(), 2);
  });

test('a file that replaces another is read and written from then on', async () => {
  const backup = `${file}.backup`;
  const outsider = await scratch.connectDirectly();
  await outsider.run(`vacuum into '${backup}'`);
  await outsider.close();
  await write();
  assert.equal(await read(), 1);
  for (const side of ['-wal', '-shm']) rmSync(file + side);
  renameSync(backup, file);
  await assert.rejects(write(), unavailable);
  for (let at = 0; at < 5; at += 1) await write();
  await waitUntil('a read notices', () =>
    read().then(
      (beats) => beats === 5,
      (error: unknown) => !isUnavailable(error),
    ),
  );
});

test('a read-only file: reads are answered, writes are unavailable', async () => {
  await scratch.databases.close();
  chmodSync(file, 0o444);
  chmodSync(dirname(file), 0o777);
  // The superuser can write everything, so a process without its rights must try.
  const script = `
    import { openDatabases } from ${JSON.stringify(import.meta.resolve('../../src/database/databases.ts'))};
    if (process.getuid() === 0) process.setuid(65534);
    const databases = openDatabases(${JSON.stringify(scratch.location)});
    const database = databases.forTenant('${tenant}');
    const read = () => database.read({ deadlineMs: 50_000 }, (db) => db.selectFrom('health').select('beats').where('id', '=', 2).execute());
    const write = () => database.write({ deadlineMs: 50_000 }, (db) => db.updateTable('health').set({ beats: 1 }).execute());
    const told = [await read(), await write().catch(({ failure }) => failure), await read()];
    process.stdout.write(JSON.stringify(told));
    await databases.close();`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module-typescript', '-e', script], {
    timeout: 60_000,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  assert.deepEqual(JSON.parse(stdout), [[{ beats: 0 }], 'unavailable', [{ beats: 0 }]]);
});

test('a parameter that cannot be sent to the thread fails only its own statement', async () => {
  const wrong = (db: Db) => sql`select ${Symbol('s')}`.execute(db);
  await assert.rejects(scratch.database.read(longDeadline, wrong), /could not be cloned/);
  await assert.rejects(
    scratch.database.write(longDeadline, async (db) => {
      await incrementCounter(db, 2);
      await wrong(db);
    }),
    /could not be cloned/,
  );
  await write();
  assert.equal(await read(), 1);
});

test('a thread that has ended is not used again', async () => {
  await read();
  // The read's own COMMIT, after this one, finds nothing to commit; a thread in an unexpected state ends.
  await scratch.database.read(longDeadline, (db) => sql.raw('commit').execute(db));
  await waitUntil('a thread has ended', () => sqliteThreads('read') === 0);
  assert.deepEqual(await Promise.all([read(), read(), read()]), [0, 0, 0]);
});

test('scans that cannot be stopped delay no other request, and only a limited number of them continue', async () => {
  const scan = (db: Db) =>
    sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 6000000) select count(*) from n`.execute(
      db,
    );
  const stopScan = () => assert.rejects(scratch.database.read({ deadlineMs: 100 }, scan), storageError('timeout'));
  // A thread that is still opening its file at the deadline runs no scan.
  await Promise.all([read(), read()]);
  let most = 0;
  const watch = setInterval(() => (most = Math.max(most, sqliteThreads('read'))), 5);
  for (let round = 0; round < 3; round += 1) await Promise.all(Array.from({ length: 4 }, stopScan));
  assert.equal(await read(), 0);
  await write();
  clearInterval(watch);
  assert.ok(most > 3 && most <= 2 + 4, `${most} threads at once`);
  assert.equal(await read(), 1);
});

/** No other cause is possible. */
function isUnavailable(error: unknown): true {
  assert.ok(error instanceof StorageError && error.failure === 'unavailable', String(error));
  return true;
}
