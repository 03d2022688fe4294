// The units of demo data: valid settings, a plausible history, device records in the order of the writes, and states of
// units that have reported.

import { sql } from 'kysely';
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  openMigratedDatabases,
  readRows,
  seedDemoTenant,
  getTenant,
  type MigratedDatabases,
} from '../support/demo-database.ts';
import { onBothEngines } from '../support/service.ts';
import type { Tables } from '../../src/database/tables.ts';
import type { TenantDatabase } from '../../src/database/tenant-database.ts';
import { typeCodeOf } from '../../src/features/places/rules/unit-types.ts';
import { allDefinitions, typeCatalogueOf } from '../../src/features/units/catalogue/type-catalogue.ts';
import { formatStoredText, parseStoredText } from '../../src/features/units/rules/stored-text.ts';
import { builtInTenants } from '../../src/tenants.ts';
import { createSeededRandom } from '../../demo/random.ts';
import { pickOtherValue, settableSettings } from '../../demo/units/example-values.ts';
import { testNow } from '../support/times.ts';

type Setting = Tables['unit_settings'];
type Unit = Tables['units'];
const keyOf = ({ bank_id, location_id, unit_id }: Pick<Unit, 'bank_id' | 'location_id' | 'unit_id'>): string =>
  `${bank_id}/${location_id}/${unit_id}`;

test('settings of demo units are in the catalogue, writable by people, and canonically spelled, in every currency', () => {
  for (const [name, values] of settableSettings) {
    const definition = allDefinitions.find((each) => each.name === name);
    assert.ok(definition?.editable, name);
    const random = createSeededRandom(name);
    const drawn = builtInTenants.flatMap(({ currency }) =>
      Array.from({ length: 30 }, () => pickOtherValue(name, undefined, currency, random)),
    );
    for (const text of [...values, ...drawn])
      assert.deepEqual(formatStoredText(definition, parseStoredText(definition, text)), { text }, `${name} ${text}`);
    for (const { currency } of builtInTenants)
      for (const text of new Set(drawn)) assert.notEqual(pickOtherValue(name, text, currency, random), text, name);
  }
});

onBothEngines((engine) => {
  let opened: MigratedDatabases;
  let database: TenantDatabase;
  let units: Map<string, Unit>;
  let history: Setting[];
  before(async () => {
    opened = await openMigratedDatabases(engine, 'island');
    database = opened.databases.forTenant('island');
    await seedDemoTenant(database, 'island', { postings: 300 });
    units = new Map((await all<Unit>('units')).map((unit) => [keyOf(unit), unit]));
    history = (await all<Setting>('unit_setting_history')).toSorted((a, b) => a.version - b.version);
  });
  after(() => opened.release());

  const all = <T>(table: keyof Tables): Promise<T[]> => readRows(database, sql<T>`select * from ${sql.table(table)}`);
  const unitOf = (row: Pick<Unit, 'bank_id' | 'location_id' | 'unit_id'>): Unit => {
    const unit = units.get(keyOf(row));
    assert.ok(unit !== undefined, keyOf(row));
    return unit;
  };
  const ofBank = (bankId: number) => (row: { bank_id: number }) => row.bank_id === bankId;

  test('every value in the history of a unit is valid for its type', () => {
    assert.ok(history.length > 300);
    for (const row of history) {
      const definition = typeCatalogueOf(typeCodeOf(unitOf(row))).visibleByName.get(row.name);
      assert.equal(definition?.kind, 'Setting', row.name);
      if (definition === undefined || row.value === null) continue;
      assert.deepEqual(
        formatStoredText(definition, parseStoredText(definition, row.value)),
        { text: row.value },
        row.name,
      );
      assert.ok(definition.editable || row.editor_id === null, row.name);
    }
  });

  test('the current value is the last one written, and every write changed the value', async () => {
    const settings = await all<Setting>('unit_settings');
    const runs = Map.groupBy(history, (row) => `${keyOf(row)}/${row.name}`);
    assert.equal(settings.length, runs.size);
    for (const row of settings) {
      const run = runs.get(`${keyOf(row)}/${row.name}`) ?? [];
      assert.deepEqual({ ...run.at(-1) }, { ...row });
      for (const [at, { value, changed_at }] of run.entries()) {
        if (at === 0) continue;
        assert.notEqual(value, run[at - 1]?.value, row.name);
        assert.ok(changed_at > (run[at - 1]?.changed_at ?? 0), row.name);
      }
    }
    assert.ok([...runs.values()].filter(({ length }) => length > 1).length > 50, 'many have a history');
  });

  test('a unit’s version is that of its last write, and versions follow the time', () => {
    const byUnit = Map.groupBy(history, keyOf);
    for (const [key, unit] of units) {
      const rows = (byUnit.get(key) ?? []).filter(({ version }) => version > 1);
      assert.deepEqual(
        rows.map(({ version }) => version),
        rows.map((_, at) => at + 2),
        key,
      );
      assert.equal(unit.version, rows.length + 1, key);
      for (const [at, { changed_at }] of rows.entries()) assert.ok(changed_at >= (rows[at - 1]?.changed_at ?? 0));
    }
    for (const { changed_at } of history) assert.ok(changed_at <= testNow);
    const busy = units.values().filter(({ version, bank_id }) => version > 1 && bank_id < 1003);
    assert.ok([...busy].length > 40, 'a good share of the units');
  });

  test('editors are managers who may write where they wrote', async () => {
    const grants = await all<Tables['manager_grants']>('manager_grants');
    const writers = new Set(
      (await all<Tables['manager_permissions']>('manager_permissions'))
        .filter(({ permission }) => permission === 'Unit.Write')
        .map(({ manager_id }) => manager_id),
    );
    const edited = history.filter(({ editor_id }) => editor_id !== null);
    assert.ok(new Set(edited.map(({ editor_id }) => editor_id)).size >= 3);
    for (const { editor_id, bank_id, location_id } of edited) {
      assert.ok(writers.has(editor_id ?? 0));
      const covers = ({ manager_id, ...grant }: Tables['manager_grants']): boolean =>
        manager_id === editor_id &&
        [0, bank_id].includes(grant.bank_id) &&
        [0, location_id].includes(grant.location_id);
      assert.ok(grants.some(covers), `${editor_id} at ${bank_id}/${location_id}`);
    }
  });

  test('the outbox has the records for devices, numbered in the order of the writes, in every state', async () => {
    const heads = await all<Tables['device_sync_heads']>('device_sync_heads');
    const syncs = (await all<Tables['device_sync']>('device_sync')).filter(
      ({ subject_kind }) => subject_kind === 'setting',
    );
    for (const bankId of [1001, 1002]) {
      const told = history.filter(ofBank(bankId)).filter(({ sync_id }) => sync_id !== null);
      const records = new Map(syncs.filter(ofBank(bankId)).map((record) => [record.sync_id, record]));
      assert.equal(told.length, records.size);
      const inOrder = told.toSorted((a, b) => (a.sync_id ?? 0) - (b.sync_id ?? 0));
      for (const [at, row] of inOrder.entries()) {
        const record = records.get(row.sync_id ?? 0);
        assert.deepEqual(
          [record?.subject_id, record?.location_id, record?.unit_id, record?.created_at],
          [row.version, row.location_id, row.unit_id, row.changed_at],
        );
        assert.ok(row.changed_at >= (inOrder[at - 1]?.changed_at ?? 0));
        assert.ok((record?.updated_at ?? 0) >= row.changed_at && (record?.updated_at ?? 0) <= testNow);
        assert.equal(record?.attempts === 0, record?.state === 'queued');
      }
      assert.deepEqual(
        new Set([...records.values()].map(({ state }) => state)),
        new Set(['queued', 'sent', 'failed', 'acknowledged']),
      );
      assert.ok((heads.find(ofBank(bankId))?.queued ?? 0) >= records.size);
    }
    assert.equal(syncs.filter(ofBank(1003)).length, 0, 'nobody writes where nothing is in use');
  });

  test('some units are out of order, and some have put themselves out of order and report the error', async () => {
    const settings = await all<Setting>('unit_settings');
    const states = new Map(
      (await all<Tables['unit_states']>('unit_states')).map((row) => [`${keyOf(row)}/${row.name}`, row]),
    );
    for (const bankId of [1001, 1002]) {
      const own = settings.filter(ofBank(bankId));
      assert.ok(own.filter(({ name, value }) => name === 'OutOfOrder' && value === 'true').length >= 2);
      const failed = own.filter(({ name, value }) => name === 'AutoOutOfOrder' && Number(value) > 0);
      assert.ok(failed.length >= 2);
      for (const row of failed) {
        const reported = states.get(`${keyOf(row)}/ErrorId`)?.value;
        assert.ok(reported === undefined || reported === row.value);
        assert.equal(row.editor_id, null);
      }
    }
  });

  test('states have valid values for the unit’s type, and none is later than the unit’s last contact', async () => {
    const states = await all<Tables['unit_states']>('unit_states');
    assert.ok(states.length > 800);
    for (const row of states) {
      const unit = unitOf(row);
      const definition = typeCatalogueOf(typeCodeOf(unit)).visibleByName.get(row.name);
      assert.equal(definition?.kind, 'State', row.name);
      if (definition === undefined) continue;
      const json = parseStoredText(definition, row.value);
      assert.deepEqual(formatStoredText(definition, json), { text: row.value }, `${row.name} ${row.value}`);
      assert.ok(row.reported_at <= (unit.last_contact_at ?? -1) && unit.deleted_at === null);
    }
    const found = new Set(states.map(({ name }) => name));
    const missing = allDefinitions.filter(({ kind, visible, name }) => kind === 'State' && visible && !found.has(name));
    assert.deepEqual(
      missing.map(({ name }) => name),
      [],
      'every state is reported by some unit',
    );
  });
});

test('prices are in the tenant’s currency', () => {
  assert.equal(getTenant('island').currency, 'ISK');
  const prices = builtInTenants.map(({ currency }) =>
    pickOtherValue('PriceWash60', undefined, currency, createSeededRandom('x')),
  );
  assert.ok(new Set(prices).size >= 4);
});
