// Migrations run completely and once, also concurrently, and from wherever an earlier run was stopped.

import * as fc from 'fast-check';
import { sql } from 'kysely';
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabases, type Databases } from '../../src/database/databases.ts';
import { compareSchema } from '../../src/database/migrate.ts';
import type { StorageAddress } from '../../src/database/storage-address.ts';
import type { LockableDb } from '../../src/database/db.ts';
import { lockAndClosePeriod, lockAndAppendPostings } from '../../src/features/account/queries/ledger.ts';
import { verifyBankRollups } from '../../src/features/account/verification/verify-bank-rollups.ts';
import { grantBank } from '../support/granted-banks.ts';
import { postingDraft as posted } from '../support/account-reads.ts';
import { postingDrafts as randomDrafts } from '../support/account-arbitraries.ts';
import { bookingDraft, recordBooking } from '../support/bookings.ts';
import { testNow } from '../support/times.ts';
import { insertTestBank, insertTestManager, insertTestResident } from '../support/factories.ts';
import { createStorage, onBothEngines, type Engine, type TestStorage } from '../support/service.ts';
import { startMigrator } from './support/migrator.ts';
import { allMigrations, rollBackFrom } from './support/older-schema.ts';
import {
  storageAddressOf,
  openTestDatabase,
  connectDirectly,
  sqliteFile,
  tenant,
  type DirectConnection,
} from '../support/test-database.ts';

onBothEngines((engine) => {
  test('every migration is run once, in order, and pending names what is left', async () => {
    const { storage, location } = await place(engine);
    const databases = openDatabases(location);
    try {
      if (engine === 'sqlite') {
        await assert.rejects(databases.compareSchema(tenant), { failure: 'unavailable' });
        assert.equal(existsSync(sqliteFile(location)), false, 'looking does not create the database');
      }
      assert.deepEqual(await databases.migrate(tenant), allMigrations);
      assert.deepEqual(await databases.compareSchema(tenant), { missing: [], unknown: [], isRestoring: false });
      assert.deepEqual(await databases.migrate(tenant), []);
    } finally {
      await databases.close();
      await storage.release();
    }
  });

  test('a database that is some migrations behind gets only those', async () => {
    const scratch = await openTestDatabase(engine);
    const outsider = await scratch.connectDirectly();
    const schema = await schemaOf(engine, outsider);
    try {
      const later = await rollBackFrom(outsider, '0005-idempotency');
      assert.deepEqual((await scratch.databases.compareSchema(tenant)).missing, later);
      assert.deepEqual(await scratch.databases.migrate(tenant), later);
      assert.deepEqual(await schemaOf(engine, outsider), schema);
    } finally {
      await outsider.close();
      await scratch.close();
    }
  });

  test('banks from before the tables of bookings can be booked in, and so can later ones', async () => {
    const scratch = await openTestDatabase(engine);
    const outsider = await scratch.connectDirectly();
    const database = scratch.databases.forTenant(tenant);
    const bookIn = (bankId: number): Promise<number> =>
      database.write({ deadlineMs: 10_000 }, (db) => recordBooking(db, grantBank(bankId), bookingDraft(), testNow));
    try {
      await database.write({ deadlineMs: 10_000 }, (db) => insertTestBank(db, { bankId: 1001 }));
      await rollBackFrom(outsider, '0011-bookings');
      await scratch.databases.migrate(tenant);
      // As if the migration had been killed before it was recorded.
      await outsider.run("delete from kysely_migration where name >= '0011-bookings'");
      if (engine === 'mariadb') await scratch.databases.migrate(tenant);
      const heads = await rows(outsider, 'select bank_id, bookings, events from booking_heads');
      assert.deepEqual(heads, [{ bank_id: 1001, bookings: 0, events: 0 }]);
      await database.write({ deadlineMs: 10_000 }, (db) => insertTestBank(db, { bankId: 1002 }));
      for (const bankId of [1001, 1002]) {
        assert.equal(await bookIn(bankId), 1);
        await assert.rejects(bookIn(bankId), { code: 'booking-overlap' });
      }
    } finally {
      await outsider.close();
      await scratch.close();
    }
  });

  test('residents’ balances are computed from an existing ledger, and kept up to date from then on', async () => {
    const scratch = await openTestDatabase(engine);
    const outsider = await scratch.connectDirectly();
    const database = scratch.databases.forTenant(tenant);
    const write = <T>(work: (db: LockableDb) => Promise<T>): Promise<T> => database.write({ deadlineMs: 30_000 }, work);
    const differences = async (): Promise<unknown> =>
      (await database.read({ deadlineMs: 30_000 }, (db) => verifyBankRollups(db, grantBank(1001)))).differences;
    try {
      await write((db) => insertTestBank(db, { bankId: 1001 }));
      const [drafts = []] = fc.sample(randomDrafts(testNow, { minLength: 60, maxLength: 80 }), {
        numRuns: 1,
        seed: 12,
      });
      const all = [...drafts, posted(testNow), posted(testNow, { residentId: 1002, amountMinor: 2n ** 63n - 1n })];
      await write((db) => lockAndAppendPostings(db, grantBank(1001), all));
      await write((db) => lockAndClosePeriod(db, grantBank(1001), testNow, testNow));
      await write((db) => lockAndAppendPostings(db, grantBank(1001), all));
      await rollBackFrom(outsider, '0012-resident-rollups');
      await scratch.databases.migrate(tenant);
      assert.deepEqual(await differences(), []);
      const stored = await rows(outsider, 'select bank_id from resident_rollups');
      assert.ok(stored.length > 2, 'there is something to sum');
      const [ledger] = await rows(outsider, 'select last_write_at from ledgers');
      assert.deepEqual(ledger, { last_write_at: testNow }, 'when its last period was closed');
      const unaware = 'update ledgers set version = version + 1, next_posting_id = next_posting_id + 1';
      await assert.rejects(outsider.run(unaware), /version/, 'who knows nothing of the sums cannot post');
      if (engine === 'mariadb') {
        // As if the migration had been killed before it was recorded, with balances for only some residents.
        await outsider.run("delete from kysely_migration where name >= '0012-resident-rollups'");
        await outsider.run('delete from resident_rollups where user_id = 1002');
        await scratch.databases.migrate(tenant);
        assert.deepEqual(await differences(), []);
      }
      await write((db) => lockAndAppendPostings(db, grantBank(1001), all));
      assert.deepEqual(await differences(), []);
    } finally {
      await outsider.close();
      await scratch.close();
    }
  });

  test('existing addresses of locations are kept, and a replica of the earlier version can still insert', async () => {
    const scratch = await openTestDatabase(engine);
    const outsider = await scratch.connectDirectly();
    const database = scratch.databases.forTenant(tenant);
    try {
      await database.write({ deadlineMs: 10_000 }, (db) => insertTestBank(db, { bankId: 1001, places: { 1: [1] } }));
      await outsider.run("update locations set address = 'Elm Lane 1', zip = '2100'");
      await rollBackFrom(outsider, '0019-object-addresses');
      await scratch.databases.migrate(tenant);
      const none = {
        address: '',
        zip: '',
        latitude: null,
        longitude: null,
        coordinate_provenance: null,
        address_revision: 0,
      };
      const addressesIn = (table: string) => rows(outsider, `select ${Object.keys(none).join()} from ${table}`);
      assert.deepEqual(await addressesIn('locations'), [{ ...none, address: 'Elm Lane 1', zip: '2100' }]);
      for (const table of ['banks', 'units']) assert.deepEqual(await addressesIn(table), [none]);
      await outsider.run(
        "insert into units (bank_id, location_id, unit_id, name, unit_type, enabled, version) values (1001, 1, 2, 'b', 1, 1, 1)",
      );
      assert.deepEqual(await addressesIn('units'), [none, none]);
    } finally {
      await outsider.close();
      await scratch.close();
    }
  });

  test('residents from before the search columns are found, sorted and distinguished', async () => {
    const scratch = await openTestDatabase(engine);
    const outsider = await scratch.connectDirectly();
    const database = scratch.databases.forTenant(tenant);
    try {
      await database.write({ deadlineMs: 10_000 }, async (db) => {
        await insertTestBank(db, { bankId: 1001, places: { 1: [1] } });
        await insertTestResident(db, 1001, { name: 'Åse Ærø 2' });
        await insertTestResident(db, 1002);
        await db
          .updateTable('residents')
          .set({ apartment: '2. TV', email: 'Åse@Bücher.example', phone: '+45 12 34' })
          .execute();
      });
      await rollBackFrom(outsider, '0017-resident-administration');
      await scratch.databases.migrate(tenant);
      assert.deepEqual(
        await rows(outsider, 'select name_key, apartment_key, email_key from residents order by resident_id'),
        [
          { name_key: 'ase aero 000000002', apartment_key: '000000002. tv', email_key: 'åse@xn--bcher-kva.example' },
          { name_key: 'demo resident 000001002', apartment_key: '000000002. tv', email_key: null },
        ],
      );
      const words = [
        '1001',
        '2',
        '2.',
        '451234',
        'aero',
        'ase',
        'ase@bucher.example',
        'bucher',
        'example',
        'r1001',
        'tv',
      ];
      assert.deepEqual(
        await rows(outsider, 'select word from resident_words where resident_id = 1001 order by word'),
        words.map((word) => ({ word })),
      );
      assert.deepEqual(await rows(outsider, 'select allocated from resident_heads'), [{ allocated: 2 }]);
    } finally {
      await outsider.close();
      await scratch.close();
    }
  });

  test('managers from before the search columns are found and sorted', async () => {
    const scratch = await openTestDatabase(engine);
    const outsider = await scratch.connectDirectly();
    const database = scratch.databases.forTenant(tenant);
    try {
      await database.write({ deadlineMs: 10_000 }, (db) => insertTestManager(db, { name: 'Åse Ærø 2' }));
      const read = () =>
        Promise.all([
          rows(outsider, 'select manager_id, name_key from managers'),
          rows(outsider, 'select word, manager_id from manager_words order by word'),
        ]);
      const inserted = await read();
      await rollBackFrom(outsider, '0022-managers');
      await scratch.databases.migrate(tenant);
      assert.deepEqual(await read(), inserted);
      assert.deepEqual(inserted[0], [{ manager_id: 1001, name_key: 'ase aero 000000002' }]);
      // As if the migration had been killed before it was recorded.
      await outsider.run("delete from kysely_migration where name >= '0022-managers'");
      if (engine === 'mariadb') await scratch.databases.migrate(tenant);
      assert.deepEqual(await read(), inserted);
      assert.deepEqual(await rows(outsider, 'select id, rights_version from manager_heads'), [
        { id: 1, rights_version: 0 },
      ]);
    } finally {
      await outsider.close();
      await scratch.close();
    }
  });

  test('keys of services from before their makers were stored get them from the history', async () => {
    const scratch = await openTestDatabase(engine);
    const outsider = await scratch.connectDirectly();
    try {
      await outsider.run("update services set api_key_hash = 'x' where service_id <= 2");
      for (const [serviceId, revision, editorId, field] of [
        [1, 2, 1001, 'ApiKeyHash'],
        [1, 3, 1002, 'ApiKeyHash, ReadAccess'],
        [1, 4, 1003, 'Name'],
        [2, 2, 1004, 'ApiKeyHash'],
        [3, 2, 1005, 'ReadAccess'],
      ])
        await outsider.run(`insert into service_history
          (service_id, revision, changed_at, editor_id, field, old_value, new_value)
          values (${serviceId}, ${revision}, ${Number(revision) * 100}, ${editorId}, '${field}', null, null)`);
      await rollBackFrom(outsider, '0028-service-key-makers');
      await scratch.databases.migrate(tenant);
      const stored = await rows(
        outsider,
        'select service_id, api_key_made_by, api_key_made_at from services where service_id <= 3 order by service_id',
      );
      assert.deepEqual(stored, [
        { service_id: 1, api_key_made_by: 1002, api_key_made_at: 300 },
        { service_id: 2, api_key_made_by: 1004, api_key_made_at: 200 },
        { service_id: 3, api_key_made_by: null, api_key_made_at: null },
      ]);
    } finally {
      await outsider.close();
      await scratch.close();
    }
  });

  test('settings from before the tables of documents are kept, and are found by time', async () => {
    const scratch = await openTestDatabase(engine);
    const outsider = await scratch.connectDirectly();
    const database = scratch.databases.forTenant(tenant);
    const written = "'a', 5, 7000, null, null";
    try {
      await database.write({ deadlineMs: 10_000 }, (db) => insertTestBank(db, { bankId: 1001, places: { 1: [1] } }));
      await rollBackFrom(outsider, '0020-documents');
      await outsider.run(`insert into unit_setting_history
        (bank_id, location_id, unit_id, name, value, version, changed_at, editor_id, sync_id)
        values (1001, 1, 1, 'Cycle', ${written})`);
      await scratch.databases.migrate(tenant);
      const found = await rows(
        outsider,
        "select value, version from unit_setting_history where bank_id = 1001 and location_id = 1 and unit_id = 1 and name = 'Cycle' and changed_at between 7000 and 7000",
      );
      assert.deepEqual(found, [{ value: 'a', version: 5 }]);
      assert.deepEqual(await rows(outsider, 'select id, allocated from state_series_heads'), [{ id: 1, allocated: 0 }]);
      assert.deepEqual(await rows(outsider, 'select * from document_cycles'), []);
    } finally {
      await outsider.close();
      await scratch.close();
    }
  });

  test('of concurrent processes one runs each migration, and none fails', async () => {
    const { storage, location } = await place(engine);
    const migrators = await Promise.all([1, 2, 3].map(() => startMigrator(location, tenant)));
    for (const { start } of migrators) start();
    const ran = await Promise.all(migrators.map((migrator) => migrator.ran));
    assert.ok(
      ran.every((list) => list !== undefined),
      'all came to their end',
    );
    assert.deepEqual(ran.flat(), allMigrations);
    await storage.release();
  });

  test('a migration that was killed at any moment is finished by the next run', async () => {
    const reference = await openTestDatabase(engine);
    const looking = await reference.connectDirectly();
    const schema = await schemaOf(engine, looking);
    await looking.close();
    await reference.close();
    const runs = await Promise.all(
      (engine === 'sqlite' ? [3, 6, 12, 20] : [5, 60, 150]).map(async (killedAfterMs) => {
        const { storage, location } = await place(engine);
        return { storage, location, killedAfterMs, migrator: await startMigrator(location, tenant) };
      }),
    );
    let cutShort = 0;
    for (const { storage, location, killedAfterMs, migrator } of runs) {
      migrator.start();
      await sleep(killedAfterMs);
      migrator.kill();
      if ((await migrator.ran) === undefined) cutShort += 1;
      const databases = openDatabases(location);
      await databases.migrate(tenant);
      assert.deepEqual((await databases.compareSchema(tenant)).missing, []);
      await databases.close();
      const outsider = await connectDirectly(location);
      assert.deepEqual(await schemaOf(engine, outsider), schema, `killed after ${killedAfterMs} ms`);
      assert.deepEqual(await rows(outsider, 'select id, beats from health'), [{ id: 1, beats: 0 }]);
      await outsider.close();
      await storage.release();
    }
    assert.ok(cutShort > 0, 'at least one run was cut short');
  });

  if (engine === 'mariadb')
    test('the cost of comparing a schema does not grow with the other schemas of the server', async () => {
      const scratch = await openTestDatabase(engine);
      try {
        const measure = () => countComparedRows(scratch.databases);
        const alone = await measure();
        await scratch.databases.migrate('fjord');
        assert.equal(await measure(), alone);
      } finally {
        await scratch.close();
      }
    });

  if (engine === 'mariadb')
    test('tables, indexes and rows of a migration that was killed are found and kept', async () => {
      const scratch = await openTestDatabase(engine);
      const outsider = await scratch.connectDirectly();
      const schema = await schemaOf(engine, outsider);
      try {
        // As if 0004 had been killed before its last index, and 0001 just before it was recorded.
        await outsider.run('drop table posting_rollups');
        for (const index of ['postings_by_period', 'postings_of_user', 'postings_by_reference'])
          await outsider.run(`drop index ${index} on postings`);
        await outsider.run('update health set beats = 7');
        await outsider.run('delete from kysely_migration');
        assert.deepEqual(await scratch.databases.migrate(tenant), allMigrations);
        assert.deepEqual(await schemaOf(engine, outsider), schema);
        assert.deepEqual(await rows(outsider, 'select id, beats from health'), [{ id: 1, beats: 7 }]);
      } finally {
        await outsider.close();
        await scratch.close();
      }
    });
  else
    test('a migration that fails leaves nothing behind', async () => {
      const { storage, location } = await place(engine);
      const databases = openDatabases(location);
      try {
        const outsider = await connectDirectly(location);
        await outsider.run('create table posting_rollups (of_somebody_else integer)');
        await assert.rejects(databases.migrate(tenant), /posting_rollups/);
        const tables = await rows(outsider, `select name from sqlite_master where name not like 'kysely%'`);
        assert.deepEqual(tables, [{ name: 'posting_rollups' }]);
        await outsider.run('drop table posting_rollups');
        await outsider.close();
        assert.deepEqual(await databases.migrate(tenant), allMigrations);
      } finally {
        await databases.close();
        await storage.release();
      }
    });
});

async function place(engine: Engine): Promise<{ storage: TestStorage; location: StorageAddress }> {
  const storage = await createStorage(engine);
  return { storage, location: storageAddressOf(storage) };
}

/** The number of rows that the server reads about its schemas while one of them is compared. */
function countComparedRows(databases: Databases): Promise<number> {
  return databases.forTenant(tenant).read({ deadlineMs: 60_000 }, async (db) => {
    const collected = async (): Promise<number> => {
      const { rows: status } = await sql<{ Value: string }>`show session status like 'Handler_tmp_write'`.execute(db);
      return Number(status[0]?.Value);
    };
    const before = await collected();
    const between = await collected();
    await compareSchema(db);
    return (await collected()) - between - (between - before);
  });
}

const rows = async (outsider: DirectConnection, statement: string): Promise<object[]> =>
  (await outsider.run(statement)).map((row) => ({ ...row }));

/** The definition of every table and index of the database, from its engine. */
async function schemaOf(engine: Engine, outsider: DirectConnection): Promise<unknown> {
  if (engine === 'sqlite')
    return rows(outsider, 'select name, sql from sqlite_master where sql is not null order by name');
  const tables = await rows(
    outsider,
    'select table_name as name from information_schema.tables where table_schema = database() order by table_name',
  );
  const definitions: unknown[] = [];
  for (const { name } of tables as { name: string }[])
    definitions.push(...(await rows(outsider, `show create table ${name}`)));
  return definitions;
}
