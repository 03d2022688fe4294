// The gateways of the demo, which talk to a service as those of real equipment do: they add only to demo data, and stop
// on demand.

import { pino } from 'pino';
import { sql } from 'kysely';
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { test, type TestContext } from 'node:test';
import type { TenantDatabase } from '../../src/database/tenant-database.ts';
import { verifyBankRollups } from '../../src/features/account/verification/verify-bank-rollups.ts';
import { typeCodeOf } from '../../src/features/places/rules/unit-types.ts';
import { typeCatalogueOf } from '../../src/features/units/catalogue/type-catalogue.ts';
import { startSimulator } from '../../demo/simulator/simulator.ts';
import { fromMs2000 } from '../../src/lib/time/ms2000.ts';
import { waitUntil } from '../support/async.ts';
import { countRows, getTenant, readRows, readSeededRows, seedDemoTenant } from '../support/demo-database.ts';
import { createToken } from '../support/factories.ts';
import { grantBank } from '../support/granted-banks.ts';
import { onBothEngines, startService, type Engine, type TestService } from '../support/service.ts';
import { dayMs, hourMs, testNow } from '../support/times.ts';
import { settingPath } from '../support/unit-settings.ts';

const later = testNow + dayMs;

async function setUp(t: TestContext, engine: Engine, ...tenants: string[]) {
  const clock = { now: later };
  const service = await startService(engine, { tenants, demo: true, clock: () => fromMs2000(clock.now) });
  t.after(service.stop);
  const databaseOf = (tenant: string): TenantDatabase => service.dependencies.databases.forTenant(tenant);
  return { service, clock, databaseOf, database: databaseOf('sund') };
}

function simulate({ dependencies, port }: TestService, tenants: string[], lines: string[] = []) {
  return startSimulator({
    databases: dependencies.databases,
    tenants: tenants.map(getTenant),
    address: { url: `http://127.0.0.1:${port}`, domain: 'localhost', ca: undefined },
    clock: dependencies.clock,
    log: pino({ level: 'error' }, { write: (line: string) => void lines.push(line) }),
    intervalMs: 2,
  });
}

const newPostings = (database: TenantDatabase): Promise<number> =>
  countRows(database, sql`from postings where recorded_at = ${later}`);

async function assertRollups(database: TenantDatabase): Promise<void> {
  for (const bankId of [1001, 1002]) {
    const { differences } = await database.read({ deadlineMs: 30_000 }, (db) =>
      verifyBankRollups(db, grantBank(bankId)),
    );
    assert.deepEqual(differences, []);
  }
}

onBothEngines((engine) => {
  test('they record a purchase at once and more as time passes, and nothing after they were stopped', async (t) => {
    const { service, database } = await setUp(t, engine, 'sund');
    await seedDemoTenant(database, 'sund', { postings: 300 });
    const simulator = simulate(service, ['sund']);
    const purchases = sql`from postings where recorded_at = ${later} and amount_minor < 0 and user_id > 1000 and kind = 1`;
    await waitUntil('a purchase is booked', async () => (await countRows(database, purchases)) > 0);
    await waitUntil('ten postings', async () => (await newPostings(database)) >= 10);
    await simulator.stop();
    const stopped = await newPostings(database);
    await pause(50);
    assert.equal(await newPostings(database), stopped);
    assert.equal(await countRows(database, sql`from postings where recorded_at = ${later} and bank_id = 1003`), 0);
    assert.deepEqual(await readRows(database, sql`select code, line from held_lines`), []);
    await assertRollups(database);
  });

  test('running documents continue and end, others begin, and states are those of the catalogue', async (t) => {
    const { service, database } = await setUp(t, engine, 'sund');
    await seedDemoTenant(database, 'sund', { postings: 0 });
    const cycles = (since: number, value: string): Promise<number> =>
      countRows(database, sql`from document_cycles where at > ${since} and value = ${value}`);
    const simulator = simulate(service, ['sund']);
    await waitUntil('some end', async () => (await cycles(testNow, 'End')) > 5);
    await waitUntil('some begin', async () => (await cycles(testNow, 'Start')) > 10);
    await simulator.stop();
    assert.equal(await countRows(database, sql`from unit_syncs where late_writes > 0`), 0);
    type Row = { unit_type: number; packed_type: number | null; name: string; value: string | null };
    const states = await readRows(
      database,
      sql<Row>`select u.unit_type, u.packed_type, s.name, s.value from unit_states s
        join units u on u.bank_id = s.bank_id and u.location_id = s.location_id and u.unit_id = s.unit_id
        where s.reported_at > ${testNow}`,
    );
    assert.ok(new Set(states.map(({ name }) => name)).size >= 4);
    for (const { name, ...unit } of states) assert.ok(typeCatalogueOf(typeCodeOf(unit)).visibleByName.has(name), name);
  });

  test('settings that people write are acknowledged for online units, and stay queued for others', async (t) => {
    const { service, database } = await setUp(t, engine, 'sund');
    await seedDemoTenant(database, 'sund', { postings: 0 });
    type Row = { location_id: number; unit_id: number };
    const findWasher = async (order: 'asc' | 'desc'): Promise<Row> => {
      const [unit] = await readRows(
        database,
        sql<Row>`select location_id, unit_id from units where bank_id = 1001 and deleted_at is null and enabled = 1
          and unit_type = 1 and last_contact_at is not null order by last_contact_at ${sql.raw(order)} limit 1`,
      );
      return unit ?? assert.fail('there is no washer');
    };
    const { token } = await createToken(service, { livesMs: 1000 * dayMs });
    /** The record in the outbox. */
    const write = async ({ location_id: locationId, unit_id: unitId }: Row, value: number): Promise<number> => {
      const ofUnit = sql`bank_id = 1001 and location_id = ${locationId} and unit_id = ${unitId} and name = 'MaxTemperature'`;
      const [stored] = await readRows(
        database,
        sql<{ version: number }>`select version from unit_settings where ${ofUnit}`,
      );
      const path = settingPath({ bankId: 1001, locationId, unitId }, 'MaxTemperature');
      const body = { value, expectedRevision: String(stored?.version ?? 0) };
      const written = await service.call('PUT', path, { token, body });
      assert.equal(written.status, 200, written.text);
      const [row] = await readRows(
        database,
        sql<{ sync_id: number }>`select sync_id from unit_settings where ${ofUnit}`,
      );
      return row?.sync_id ?? assert.fail('nothing was queued');
    };
    const [onlineWasher, offlineWasher] = [await findWasher('desc'), await findWasher('asc')];
    const offline = await write(offlineWasher, 45);
    const before = await write(onlineWasher, 45);
    const stateOf = async (syncId: number): Promise<string | undefined> => {
      const rows = sql<{ state: string }>`select state from device_sync where bank_id = 1001 and sync_id = ${syncId}`;
      return (await readRows(database, rows))[0]?.state;
    };
    const simulator = simulate(service, ['sund']);
    await waitUntil('acknowledged by the snapshot', async () => (await stateOf(before)) === 'acknowledged');
    const meanwhile = await write(onlineWasher, 50);
    await waitUntil('acknowledged by itself', async () => (await stateOf(meanwhile)) === 'acknowledged');
    await simulator.stop();
    assert.equal(await stateOf(offline), 'queued');
  });

  test('online units stay online after any pause, and no other unit comes online', async (t) => {
    const { service, database } = await setUp(t, engine, 'sund');
    await seedDemoTenant(database, 'sund', { postings: 0 });
    const ofOnline = sql`from units u join banks b on b.bank_id = u.bank_id and b.enabled = 1
      and u.deleted_at is null and u.last_contact_at`;
    const online = await countRows(database, sql`${ofOnline} > ${testNow - hourMs}`);
    const before = await countRows(database, sql`from units`);
    const heard = (): Promise<number> => countRows(database, sql`from units where last_contact_at > ${later - hourMs}`);
    const simulator = simulate(service, ['sund']);
    await waitUntil('all were heard of', async () => (await heard()) === online);
    await waitUntil('some postings', async () => (await newPostings(database)) >= 3);
    await simulator.stop();
    assert.ok(online > before / 3);
    assert.equal(await heard(), online);
  });

  test('after a restart they go on with new keys', async (t) => {
    const { service, database } = await setUp(t, engine, 'sund');
    await seedDemoTenant(database, 'sund', { postings: 0 });
    for (const count of [1, 2]) {
      const before = await newPostings(database);
      const simulator = simulate(service, ['sund']);
      await waitUntil(`purchase ${count}`, async () => (await newPostings(database)) > before);
      await simulator.stop();
    }
    assert.equal(await countRows(database, sql`from computers`), 2);
    assert.equal(await countRows(database, sql`from computer_keys`), 2);
    await assertRollups(database);
  });

  test('they do not change a database without complete demo data', async (t) => {
    const { service, databaseOf } = await setUp(t, engine, 'sund', 'fjord');
    const [own, unfinished] = [databaseOf('sund'), databaseOf('fjord')];
    await seedDemoTenant(own, 'sund', { postings: 0 });
    await own.write({ deadlineMs: 5000 }, (db) =>
      db.deleteFrom('tenant_settings').where('name', '=', 'demoData').execute(),
    );
    await seedDemoTenant(unfinished, 'fjord', { postings: 0 });
    const seeding = sql`update tenant_settings set value = 'seeding' where name = 'demoData'`;
    await unfinished.write({ deadlineMs: 5000 }, (db) => seeding.execute(db));
    const before = [await readSeededRows(own), await readSeededRows(unfinished)];
    const simulator = simulate(service, ['sund', 'fjord']);
    await pause(200);
    await simulator.stop();
    assert.deepEqual([await readSeededRows(own), await readSeededRows(unfinished)], before);
    for (const database of [own, unfinished]) assert.equal(await countRows(database, sql`from computers`), 0);
  });

  test('a storage that fails is logged once and does not stop the others', async (t) => {
    const { service, database } = await setUp(t, engine, 'sund');
    await seedDemoTenant(database, 'sund', { postings: 0 });
    const lines: string[] = [];
    // This database was never migrated.
    const simulator = simulate(service, ['fjord', 'sund'], lines);
    await waitUntil('some postings', async () => (await newPostings(database)) >= 3);
    await simulator.stop();
    assert.deepEqual(
      lines.map((line) => (JSON.parse(line) as { tenant: string }).tenant),
      ['fjord'],
    );
  });

  test('after the clock was set back they record nothing, and say so once', async (t) => {
    const { service, database, clock } = await setUp(t, engine, 'sund');
    await seedDemoTenant(database, 'sund', { postings: 0 });
    const before = simulate(service, ['sund']);
    await waitUntil('a purchase is booked', async () => (await newPostings(database)) > 0);
    await before.stop();
    const postings = await countRows(database, sql`from postings`);
    clock.now = later - hourMs;
    const lines: string[] = [];
    const simulator = simulate(service, ['sund'], lines);
    await waitUntil('it is known', () => lines.length > 0);
    await pause(50);
    await simulator.stop();
    assert.deepEqual(
      lines.map((line) => (JSON.parse(line) as { err: { code: string } }).err.code),
      ['clock-behind'],
    );
    assert.equal(await countRows(database, sql`from postings`), postings);
  });

  test('what the service refuses is logged once', async (t) => {
    const { service, database } = await setUp(t, engine, 'sund');
    await seedDemoTenant(database, 'sund', { postings: 0 });
    const lines: string[] = [];
    const simulator = simulate(service, ['sund'], lines);
    await waitUntil('a purchase is booked', async () => (await newPostings(database)) > 0);
    await database.write({ deadlineMs: 5000 }, (db) => db.deleteFrom('computer_keys').execute());
    await waitUntil('it is known', () => lines.length > 0);
    await pause(50);
    await simulator.stop();
    assert.match(lines.join(''), /unauthenticated/);
    assert.equal(lines.length, 1);
  });
});
