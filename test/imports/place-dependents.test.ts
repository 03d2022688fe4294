// What depends on a place is looked for in every table that names places, and what a whole demo has of places, settings and
// opening exceptions is unchanged by its own export.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { placeDependents } from '../../src/features/import-kinds/places/rules/place-dependents.ts';
import { createToken } from '../support/factories.ts';
import { seedDemoTenant } from '../support/demo-database.ts';
import { exportRows, planRows, readRows } from '../support/import-calls.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { testNow } from '../support/times.ts';

/** Tables that name places, and why their rows alone do not keep a place. */
const others: Readonly<Record<string, string>> = {
  banks: 'the place itself',
  units: 'the place itself, or below it',
  locations: 'the place itself',
  ledgers: 'opened with the bank; its postings count',
  postings: 'counted by their roll-ups',
  resident_rollups: 'of postings',
  money_lines: 'of postings',
  booking_events: 'of bookings',
  booking_slots: 'of bookings',
  booking_heads: 'counts bookings',
  resident_heads: 'counts residents',
  resident_words: 'of residents',
  resident_keys: 'of residents',
  resident_activations: 'of residents',
  resident_history: 'of residents',
  resident_former_names: 'of residents',
  computer_heads: 'counts computers',
  computer_keys: 'of computers',
  computer_states: 'of computers',
  computer_streams: 'of computers',
  former_epochs: 'of computers',
  held_line_heads: 'counts held lines',
  unit_settings: 'goes with the unit',
  unit_setting_history: 'goes with the unit',
  opening_exceptions: 'goes with the place',
  unit_syncs: 'of samples',
  device_sync: 'tells devices what is counted elsewhere, or goes with the unit',
  device_sync_heads: 'counts records for devices',
  imports: 'what was imported, which can be undone',
  import_keys: 'the keys of what was imported',
};

serviceSuite({ now: testNow, manager: false }, ({ service, engine }) => {
  const listTables = async (column: string): Promise<string[]> => {
    const ofSqlite = sql<{ name: string }>`select m.name from sqlite_master as m join pragma_table_info(m.name) as c
      where m.type = 'table' and c.name = ${column}`;
    const ofServer = sql<{ name: string }>`select table_name as name from information_schema.columns
      where table_schema = database() and column_name = ${column}`;
    const query = engine === 'sqlite' ? ofSqlite : ofServer;
    const { rows } = await service.read('sund', (db) => query.execute(db));
    return rows.map(({ name }) => name);
  };

  test('[imports.49] every table that names a bank, location or unit is asked what depends on it, or goes with it', async () => {
    const asked = new Set<string>(Object.values(placeDependents).flatMap((all) => all.map(({ table }) => table)));
    for (const column of ['bank_id', 'location_id', 'unit_id']) {
      const tables = await listTables(column);
      assert.ok(tables.length > 5);
      const forgotten = tables.filter((name) => !asked.has(name) && others[name] === undefined);
      assert.deepEqual(forgotten, [], column);
    }
  });

  test('[imports.41] what a demo exports of its places, settings and exceptions is unchanged when it is imported', async () => {
    const database = service.dependencies.databases.forTenant('sund');
    assert.equal(await seedDemoTenant(database, 'sund', { postings: 100 }), 'seeded');
    const { token } = await createToken(service);
    for (const bankId of [1001, 1002, 1003])
      for (const kind of ['banks', 'locations', 'units', 'settings', 'opening-exceptions']) {
        const bank = kind === 'banks' ? {} : { bankId };
        const rows = await exportRows(service, { kind, ...bank, token });
        const planned = await planRows(service, { kind, ...bank, token, rows });
        const { create, refused } = planned.counts;
        assert.deepEqual([create, refused], [0, 0], `${kind} of ${bankId}`);
        const changes = (await readRows(service, planned.kid, token)).flatMap((row) => row.changes);
        assert.deepEqual(
          changes.filter(({ field }) => field !== 'key'),
          [],
        );
        if (kind !== 'opening-exceptions' || bankId !== 1003) assert.ok(rows.length > 1, `${kind} of ${bankId}`);
      }
  });
});
