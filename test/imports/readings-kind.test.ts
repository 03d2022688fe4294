// Imports of readings: samples that are stored, what is refused, what an undone import takes away, and the round trip.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { LockableDb } from '../../src/database/db.ts';
import { recordReports } from '../../src/features/documents/queries/record-report.ts';
import type { RowValues } from '../../src/features/import-kinds/import-kind.ts';
import { readingsKind } from '../../src/features/import-kinds/readings/readings.ts';
import { unitTypeCode } from '../../src/features/places/rules/unit-types.ts';
import { requireLocationOf } from '../../src/permissions/coverage.ts';
import { insertTestBank } from '../support/factories.ts';
import {
  applyRows,
  codesOf,
  exportedRows,
  findRows,
  importTarget,
  keyedRows,
  kidsOf,
  undoRows,
} from '../support/import-kinds.ts';
import { onBothEngines } from '../support/service.ts';
import { longDeadline, openTestDatabase, type TestDatabase } from '../support/test-database.ts';

const reading: RowValues = {
  unit: 'sund-B1001-L1-U1',
  at: '2026-01-31T08:15',
  counter: 'EnergyReading',
  value: '1234.5',
};

onBothEngines((engine) => {
  let storage: TestDatabase;
  let nextBank = 1001;
  before(async () => {
    storage = await openTestDatabase(engine);
  });
  after(() => storage.close());
  const write = <T>(work: (db: LockableDb) => Promise<T>): Promise<T> => storage.database.write(longDeadline, work);

  /** A bank whose units are meters of electricity. */
  async function newBank() {
    const bankId = nextBank++;
    await write(async (db) => {
      await insertTestBank(db, { bankId });
      await db
        .updateTable('units')
        .set({ unit_type: unitTypeCode('electricity_meter') })
        .where('bank_id', '=', bankId)
        .execute();
    });
    const target = importTarget(bankId);
    const unit = { ...requireLocationOf(target.bank, 1), unitId: 1 };
    const rowsOf = (rows: Readonly<Record<string, RowValues>>, kids: Readonly<Record<string, string>> = {}) => {
      const ofBank = JSON.parse(JSON.stringify(rows).replaceAll('B1001', `B${bankId}`)) as typeof rows;
      return keyedRows(readingsKind, target, ofBank, kids);
    };
    const apply = (rows: Readonly<Record<string, RowValues>>) =>
      write((db) => applyRows(db, readingsKind, target, rowsOf(rows)));
    const states = () =>
      write((db) => db.selectFrom('unit_states').selectAll().where('bank_id', '=', bankId).execute());
    const exported = () => write((db) => exportedRows(db, readingsKind, target));
    return { bankId, target, unit, rowsOf, apply, states, exported };
  }

  describe('readings of an import', () => {
    test('are samples of the unit, and its state is the newest one', async () => {
      const bank = await newBank();
      const { applied } = await bank.apply({
        newer: { ...reading, at: '2026-02-28T00:00:00Z', value: '1300' },
        older: reading,
      });
      const unitKid = `sund-B${bank.bankId}-L1-U1`;
      assert.equal(kidsOf(applied).length, 2);
      assert.deepEqual(
        (await bank.exported()).map(({ values }) => values),
        [
          { unit: unitKid, at: '2026-01-31T07:15:00.000Z', counter: 'EnergyReading', value: '1234.500' },
          { unit: unitKid, at: '2026-02-28T00:00:00.000Z', counter: 'EnergyReading', value: '1300.000' },
        ],
      );
      assert.deepEqual(
        (await bank.states()).map(({ name, value }) => [name, value]),
        [['EnergyReading', '1300.000']],
      );
    });

    test('are refused unless a unit of its type has the counter, and never replace what the equipment has sent', async () => {
      const bank = await newBank();
      const at = Date.parse('2026-01-31T07:15:00Z') - Date.parse('2000-01-01T00:00:00Z');
      await write((db) =>
        recordReports(db, [
          {
            unit: bank.unit,
            report: { samples: [{ name: 'EnergyReading', at, value: '7.000' }], cycles: [], syncedThrough: at },
          },
        ]),
      );
      const { found } = await bank.apply({
        sent: reading,
        counter: { ...reading, counter: 'VolumeReading' },
        state: { ...reading, counter: 'Power' },
        setting: { ...reading, counter: 'ReadingOffset' },
        value: { ...reading, value: '-1' },
        decimals: { ...reading, value: '1.0001' },
        ahead: { ...reading, at: '2030-01-01T00:00:00Z' },
        unit: { ...reading, unit: 'sund-B1001-L1-U9' },
      });
      assert.deepEqual(
        found.map(({ errors }) => codesOf(errors)),
        [
          ['at taken'],
          ['counter invalid'],
          ['counter invalid'],
          ['counter invalid'],
          ['value invalid'],
          ['value invalid'],
          ['at time-ahead'],
          ['unit unknown-reference'],
        ],
      );
    });

    test('are found by their keys: equal rows are unchanged, others cannot change', async () => {
      const bank = await newBank();
      const [kid = ''] = kidsOf((await bank.apply({ a: reading })).applied);
      const find = (values: RowValues) =>
        write((db) => findRows(db, readingsKind, bank.target, bank.rowsOf({ a: values }, { a: kid })));
      const [same] = await find(reading);
      assert.deepEqual(same?.errors, []);
      for (const [field, value] of Object.entries(bank.rowsOf({ a: reading })[0]?.values ?? {}))
        assert.equal(same?.current?.values[field], value, field);
      const [other] = await find({ ...reading, value: '1234.6' });
      assert.deepEqual(codesOf(other?.errors ?? []), ['value cannot-change']);
    });
  });

  test('an import of readings that is undone leaves no sample, and the state of the newest that is left', async () => {
    const bank = await newBank();
    await bank.apply({ a: reading });
    const { applied } = await bank.apply({ b: { ...reading, at: '2026-02-28T00:00:00Z', value: '1300' } });
    await write((db) => undoRows(db, readingsKind, bank.target, kidsOf(applied)));
    assert.deepEqual(
      (await bank.exported()).map(({ values }) => values['value']),
      ['1234.500'],
    );
    assert.deepEqual(
      (await bank.states()).map(({ value }) => value),
      ['1234.500'],
    );
    const [first] = await bank.exported();
    await write((db) => undoRows(db, readingsKind, bank.target, [first?.objectKid ?? '']));
    assert.deepEqual([await bank.exported(), await bank.states()], [[], []]);
  });

  test('an export of readings has every column again after an import into an empty bank', async () => {
    const [bank, empty] = [await newBank(), await newBank()];
    await bank.apply({ a: reading, b: { ...reading, unit: 'sund-B1001-L2-U1', at: '2025-12-31' } });
    const exported = await bank.exported();
    const asRows = Object.fromEntries(exported.map(({ objectKid, values }) => [objectKid, values]));
    const moved = JSON.parse(JSON.stringify(asRows).replaceAll(`B${bank.bankId}`, `B${empty.bankId}`)) as typeof asRows;
    await empty.apply(moved);
    assert.deepEqual(
      await empty.exported(),
      JSON.parse(JSON.stringify(exported).replaceAll(`B${bank.bankId}`, `B${empty.bankId}`)),
    );
  });
});
