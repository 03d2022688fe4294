// The simulator adds only to demo data, and stops on demand.

import { pino } from 'pino';
import { sql } from 'kysely';
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { test, type TestContext } from 'node:test';
import type { TenantDatabase } from '../../src/database/tenant-database.ts';
import { verifyBankRollups } from '../../src/features/account/verification/verify-bank-rollups.ts';
import { fromMs2000 } from '../../src/lib/ms2000.ts';
import { startSimulator } from '../../src/demo/simulator/simulator.ts';
import { queueTestSync } from '../support/queued-syncs.ts';
import {
  readSeededRows,
  countRows,
  openMigratedDatabases,
  readRows,
  seedDemoTenant,
  getTenant,
  type MigratedDatabases,
} from '../support/demo-database.ts';
import { grantBank } from '../support/granted-banks.ts';
import { dayMs, hourMs, testNow } from '../support/times.ts';

async function opened(t: TestContext, ...tenants: string[]): Promise<MigratedDatabases> {
  const databases = await openMigratedDatabases('sqlite', ...tenants);
  t.after(() => databases.release());
  return databases;
}

const later = testNow + dayMs;
const simulate = ({ databases }: MigratedDatabases, tenants: string[], lines: string[] = []) =>
  startSimulator({
    databases,
    tenants: tenants.map(getTenant),
    clock: () => fromMs2000(later),
    log: pino({ level: 'error' }, { write: (line: string) => void lines.push(line) }),
    intervalMs: 2,
  });

const newPostings = (database: TenantDatabase): Promise<number> =>
  countRows(database, sql`from postings where recorded_at = ${later}`);

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + 10_000; performance.now() < deadline; await pause(5))
    if (await holds()) return;
  assert.fail('it never came to that');
}

test('it records a purchase at once and more as time passes, and nothing after it was stopped', async (t) => {
  const parts = await opened(t, 'sund');
  const database = parts.databases.forTenant('sund');
  await seedDemoTenant(database, 'sund', { postings: 300 });
  const simulator = simulate(parts, ['sund']);
  await until(async () => (await newPostings(database)) > 0);
  const purchases = sql`from postings where recorded_at = ${later} and amount_minor < 0 and user_id > 1000 and kind = 1`;
  assert.ok((await countRows(database, purchases)) > 0);
  await until(async () => (await newPostings(database)) >= 10);
  await simulator.stop();
  const stopped = await newPostings(database);
  await pause(50);
  assert.equal(await newPostings(database), stopped);
  assert.equal(await countRows(database, sql`from postings where recorded_at = ${later} and bank_id = 1003`), 0);
  for (const bankId of [1001, 1002]) {
    const { differences } = await database.read({ deadlineMs: 30_000 }, (db) =>
      verifyBankRollups(db, grantBank(bankId)),
    );
    assert.deepEqual(differences, []);
  }
});

test('online units stay online after any pause, and no other unit comes online', async (t) => {
  const parts = await opened(t, 'sund');
  const database = parts.databases.forTenant('sund');
  await seedDemoTenant(database, 'sund', { postings: 0 });
  const isOnline = sql`b.bank_id = u.bank_id and u.deleted_at is null and u.last_contact_at >
    case b.bank_type when 1 then ${testNow - hourMs} else ${testNow - dayMs} end`;
  const online = await countRows(database, sql`from units u join banks b on ${isOnline}`);
  const silent = sql`from units where last_contact_at < ${testNow}`;
  const before = await countRows(database, sql`from units`);
  const simulator = simulate(parts, ['sund']);
  await until(async () => (await countRows(database, sql`from units where last_contact_at = ${later}`)) > 0);
  await until(async () => (await newPostings(database)) >= 3);
  await simulator.stop();
  assert.ok(online > before / 3);
  assert.equal(await countRows(database, sql`from units where last_contact_at = ${later}`), online);
  const others = await countRows(database, sql`from units where last_contact_at is null`);
  assert.equal((await countRows(database, silent)) + others + online, before);
});

test('settings that people write are delivered to online units, and records seeded as sent or failed stay so', async (t) => {
  const parts = await opened(t, 'sund');
  const database = parts.databases.forTenant('sund');
  await seedDemoTenant(database, 'sund', { postings: 300 });
  const [unit] = await readRows(
    database,
    sql<{ location_id: number; unit_id: number }>`select * from units
      where bank_id = 1001 and deleted_at is null order by last_contact_at desc limit 1`,
  );
  assert.ok(unit !== undefined);
  const queued = await database.write({ deadlineMs: 5000 }, (db) =>
    queueTestSync(
      db,
      1001,
      { subjectKind: 'setting', subjectId: 9, locationId: unit.location_id, unitId: unit.unit_id },
      later - 3000,
    ),
  );
  const settled = sql`from device_sync where state in ('sent', 'failed')`;
  const before = await countRows(database, settled);
  assert.ok(before > 0);
  const simulator = simulate(parts, ['sund']);
  const arrived = sql`from device_sync where bank_id = 1001 and sync_id = ${queued} and state = 'acknowledged'`;
  await until(async () => (await countRows(database, arrived)) === 1);
  await simulator.stop();
  assert.equal(await countRows(database, settled), before);
  const { differences } = await database.read({ deadlineMs: 30_000 }, (db) => verifyBankRollups(db, grantBank(1001)));
  assert.deepEqual(differences, []);
});

test('after the clock was set back it records nothing, and says so once', async (t) => {
  const parts = await opened(t, 'sund');
  const database = parts.databases.forTenant('sund');
  await seedDemoTenant(database, 'sund', { postings: 300 });
  await database.write({ deadlineMs: 5000 }, (db) =>
    db
      .updateTable('ledgers')
      .set({ last_write_at: later + hourMs })
      .execute(),
  );
  const before = await readSeededRows(database);
  const lines: string[] = [];
  const simulator = simulate(parts, ['sund'], lines);
  await until(async () => lines.length > 0);
  await pause(50);
  await simulator.stop();
  assert.deepEqual(await readSeededRows(database), before);
  assert.deepEqual(
    lines.map((line) => (JSON.parse(line) as { err: { code: string } }).err.code),
    ['clock-behind'],
  );
});

test('it does not change a database without complete demo data', async (t) => {
  const parts = await opened(t, 'sund', 'fjord');
  const [own, unfinished] = [parts.databases.forTenant('sund'), parts.databases.forTenant('fjord')];
  await seedDemoTenant(own, 'sund', { postings: 0 });
  await own.write({ deadlineMs: 5000 }, (db) =>
    db.deleteFrom('tenant_settings').where('name', '=', 'demoData').execute(),
  );
  await seedDemoTenant(unfinished, 'fjord', { postings: 0 });
  const seeding = sql`update tenant_settings set value = 'seeding' where name = 'demoData'`;
  await unfinished.write({ deadlineMs: 5000 }, (db) => seeding.execute(db));
  const waiting = { subjectKind: 'posting', subjectId: 1, locationId: 0, unitId: 0 } as const;
  for (const database of [own, unfinished])
    await database.write({ deadlineMs: 5000 }, (db) => queueTestSync(db, 1001, waiting, testNow));
  const before = [await readSeededRows(own), await readSeededRows(unfinished)];
  const simulator = simulate(parts, ['sund', 'fjord']);
  await pause(100);
  await simulator.stop();
  assert.deepEqual([await readSeededRows(own), await readSeededRows(unfinished)], before);
});

test('a storage that fails is logged once and does not stop the others', async (t) => {
  const parts = await opened(t, 'sund');
  const database = parts.databases.forTenant('sund');
  await seedDemoTenant(database, 'sund', { postings: 0 });
  const lines: string[] = [];
  // This database was never migrated.
  const simulator = simulate(parts, ['fjord', 'sund'], lines);
  await until(async () => (await newPostings(database)) >= 3);
  await simulator.stop();
  assert.deepEqual(
    lines.map((line) => (JSON.parse(line) as { tenant: string }).tenant),
    ['fjord'],
  );
});
