// What demo units report in the simulator, on both engines.

import { sql } from 'kysely';
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { openMigratedDatabases, readRows, seedDemoTenant, type MigratedDatabases } from '../support/demo-database.ts';
import { insertTestBank } from '../support/factories.ts';
import { onBothEngines } from '../support/service.ts';
import { insertRows } from '../../src/database/insert-rows.ts';
import type { Tables } from '../../src/database/tables.ts';
import type { TenantDatabase } from '../../src/database/tenant-database.ts';
import { typeCodeOf } from '../../src/features/places/rules/unit-types.ts';
import { typeCatalogueOf } from '../../src/features/units/catalogue/type-catalogue.ts';
import { formatStoredText, parseStoredText } from '../../src/features/units/rules/stored-text.ts';
import { createSeededRandom } from '../../src/demo/random.ts';
import { writeReportedStates } from '../../src/demo/simulator/counter-reports.ts';
import { hourMs } from '../../src/lib/durations.ts';

type State = Tables['unit_states'];

const now = 800_000_000_000;
const deadlineMs = 30_000;
const [online, silent, deleted] = [1, 2, 3];

onBothEngines((engine) => {
  let opened: MigratedDatabases;
  let database: TenantDatabase;
  before(async () => {
    opened = await openMigratedDatabases(engine, 'sund');
    database = opened.databases.forTenant('sund');
    await database.write({ deadlineMs }, async (db) => {
      await insertTestBank(db, { bankId: 1001, places: { 1: [online, silent, deleted] } });
      await db.updateTable('banks').set({ bank_type: 1 }).execute();
      for (const [unitId, contact] of [
        [online, { last_contact_at: now }],
        [silent, { last_contact_at: now - hourMs }],
        [deleted, { last_contact_at: now, deleted_at: now }],
      ] as const)
        await db.updateTable('units').set(contact).where('unit_id', '=', unitId).execute();
    });
  });
  after(() => opened.release());
  beforeEach(() => database.write({ deadlineMs }, (db) => db.deleteFrom('unit_states').execute()));

  const state = (unitId: number, name: string, value: string | null, reported_at = now - 2 * hourMs): State => {
    const place = { bank_id: 1001, location_id: 1, unit_id: unitId };
    return { ...place, name, value, reported_at };
  };
  const give = (rows: readonly State[]): Promise<void> =>
    database.write({ deadlineMs }, (db) => insertRows(db, 'unit_states', rows));
  const report = (at = now): Promise<void> =>
    database.write({ deadlineMs }, (db) => writeReportedStates(db, at, createSeededRandom('reports')));
  const stored = (): Promise<State[]> =>
    readRows(database, sql<State>`select * from unit_states order by unit_id, name`);

  test('counters of online units grow with the time that passed, and are reported as of now', async () => {
    const names = ['AccessCount', 'EnergyReading', 'Uptime', 'VolumeReading'];
    await give(names.map((name) => state(online, name, name.endsWith('Reading') ? '1200.042' : '1200')));
    await report();
    const rows = await stored();
    assert.deepEqual(
      rows.map(({ name, reported_at }) => [name, reported_at]),
      names.map((name) => [name, now]),
    );
    const [access = 0, energy = 0, uptime = 0, volume = 0] = rows.map(({ value }) => Number(value));
    assert.ok(access >= 1202 && access <= 1225, String(access));
    assert.ok(energy >= 1200.242 && energy <= 1201.843, String(energy));
    assert.equal(uptime, 1202);
    assert.ok(volume >= 1200.05 && volume <= 1200.143, String(volume));
    for (const { name, value } of rows) assert.match(value ?? '', name.endsWith('Reading') ? /^\d+\.\d{3}$/ : /^\d+$/);
  });

  test('silent and deleted units, other states, and counters that are not numbers stay unchanged', async () => {
    await give([
      state(online, 'EnergyReading', null),
      state(online, 'Temperature', '21.5'),
      state(online, 'TripCount', 'many'),
      state(online, 'Uptime', '5', now),
      state(silent, 'EnergyReading', '10.000'),
      state(deleted, 'EnergyReading', '10.000'),
    ]);
    const given = await stored();
    await report();
    assert.deepEqual(await stored(), given);
  });

  test('an online machine reports its program, a silent one does not', async () => {
    const running = (unitId: number): State[] => [
      state(unitId, 'ProgramRunning', 'true'),
      state(unitId, 'RemainingTime', '150'),
    ];
    await give([...running(online), ...running(silent), ...running(deleted)]);
    await report();
    assert.deepEqual(
      (await stored()).filter(({ reported_at }) => reported_at === now),
      [state(online, 'ProgramRunning', 'true', now), state(online, 'RemainingTime', '30', now)],
    );
  });

  test('a limited number of counters is reported, the longest unreported first', async () => {
    await database.write({ deadlineMs }, (db) =>
      insertTestBank(db, { bankId: 1002, places: { 1: Array.from({ length: 20 }, (_, at) => at + 1) } }),
    );
    await database.write({ deadlineMs }, (db) =>
      db.updateTable('units').set({ last_contact_at: now }).where('bank_id', '=', 1002).execute(),
    );
    await give(
      Array.from({ length: 20 }, (_, at) => ({
        ...state(at + 1, 'Uptime', '1', now - (at + 1) * hourMs),
        bank_id: 1002,
      })),
    );
    await report();
    const told = (await stored()).filter(({ reported_at }) => reported_at === now);
    assert.deepEqual(
      told.map(({ unit_id, value }) => [unit_id, value]),
      Array.from({ length: 12 }, (_, at) => [at + 9, String(at + 10)]),
    );
  });

  test('demo units report only values in their catalogue; some programs start and some end', async () => {
    const demo = await openMigratedDatabases(engine, 'fjord');
    try {
      const fjord = demo.databases.forTenant('fjord');
      const from = now;
      await seedDemoTenant(fjord, 'fjord', { postings: 0, now: from });
      for (let turn = 1; turn <= 30; turn += 1)
        await fjord.write({ deadlineMs }, (db) =>
          writeReportedStates(db, from + turn, createSeededRandom(`turn ${turn}`)),
        );
      const rows = await readRows(
        fjord,
        sql<State & Pick<Tables['units'], 'unit_type' | 'packed_type'>>`select s.*, u.unit_type, u.packed_type
          from unit_states s join units u on u.bank_id = s.bank_id and u.location_id = s.location_id
          and u.unit_id = s.unit_id where s.reported_at > ${from}`,
      );
      assert.ok(new Set(rows.map(({ name }) => name)).size >= 4);
      for (const isRunning of ['true', 'false'])
        assert.ok(rows.some(({ name, value }) => name === 'ProgramRunning' && value === isRunning));
      assert.ok(rows.some(({ name, value }) => name === 'Program' && value === null));
      for (const { name, value, ...unit } of rows) {
        const definition = typeCatalogueOf(typeCodeOf(unit)).visibleByName.get(name) ?? assert.fail(name);
        assert.deepEqual(
          formatStoredText(definition, parseStoredText(definition, value)),
          { text: value },
          `${name} ${value}`,
        );
      }
    } finally {
      await demo.release();
    }
  });
});
