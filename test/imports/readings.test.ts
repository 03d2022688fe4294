// Imports of readings through HTTP: what is stored, what is refused row by row, and what is taken back.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { insertRows } from '../../src/database/statements/insert-rows.ts';
import type { RowError } from '../../src/features/import-kinds/import-kind.ts';
import { storeKeys } from '../../src/features/imports/queries/import-keys.ts';
import { unitTypeCode } from '../../src/features/places/rules/unit-types.ts';
import { insertTestBank } from '../support/factories.ts';
import { applyPlan, csvOf, listRows, planFile, sendFile, undoApplied } from '../support/imports.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { testNow } from '../support/times.ts';

const header = ['key', 'unit', 'at', 'counter', 'value'];

serviceSuite({ now: testNow }, ({ service, manager, nextBankId, issueToken }) => {
  /** A bank whose units are meters of electricity. */
  async function newBank(): Promise<{ bankId: number; unit: string }> {
    const bankId = nextBankId();
    await service.write('sund', async (db) => {
      await insertTestBank(db, { bankId });
      const meter = { unit_type: unitTypeCode('electricity_meter') };
      await db.updateTable('units').set(meter).where('bank_id', '=', bankId).execute();
    });
    return { bankId, unit: `sund-B${bankId}-L1-U1` };
  }
  const options = (bankId: number) => ({ ...manager, kind: 'readings', bankId });
  const plan = (bankId: number, ...rows: (readonly string[])[]) =>
    planFile(service, csvOf(header, ...rows), options(bankId));
  const codesOf = async (kid: string): Promise<string[]> =>
    (await listRows(service, kid, manager)).map(({ key, action, errors }) =>
      [key, action, ...errors.map(({ field, code }: RowError) => `${field} ${code}`)].join(' '),
    );
  const exported = async (bankId: number): Promise<string> =>
    (await service.call('GET', `/api/v1/exports/readings?bankKid=sund-B${bankId}&for=programs`, manager)).text;

  test('an export of several batches names each row, and what it refers to, by the key that there is', async () => {
    const { bankId, unit } = await newBank();
    const batches = [
      { unitId: 1, count: 1500 },
      { unitId: 2, count: 1100 },
      { unitId: 9, count: 1 },
    ];
    const kidOf = (unitId: number, at: number): string => `sund-B${bankId}-L1-U${unitId}#EnergyReading@${at}`;
    await service.write('sund', async (db) => {
      for (const { unitId, count } of batches) {
        const series = { bank_id: bankId, location_id: 1, unit_id: unitId, name: 'EnergyReading' };
        const series_id = bankId * 10 + unitId;
        await db
          .insertInto('state_series')
          .values({ ...series, series_id })
          .execute();
        const samples = Array.from({ length: count }, (_, at) => ({ series_id, at: at * 1000, value: `${at}.000` }));
        await insertRows(db, 'state_samples', samples);
      }
      const space = { bankId, source: 'portal' };
      await storeKeys(db, { ...space, kind: 'units' }, [{ key: 'meter 2', objectKid: `sund-B${bankId}-L1-U2` }]);
      await storeKeys(db, { ...space, kind: 'readings' }, [{ key: 'the last', objectKid: kidOf(2, 1_099_000) }]);
    });
    const names = new Map([
      [1, unit],
      [2, 'meter 2'],
      // There is no such unit any more.
      [9, ''],
    ]);
    const rows = batches.flatMap(({ unitId, count }) =>
      Array.from({ length: count }, (_, at) => {
        const key = unitId === 2 && at === 1099 ? 'the last' : kidOf(unitId, at * 1000);
        const time = new Date(Date.UTC(2000, 0, 1, 0, 0, at)).toISOString();
        return `"${key}","${names.get(unitId)}","${time}","EnergyReading","${at}.000"`;
      }),
    );
    assert.deepEqual((await exported(bankId)).split('\r\n').slice(1, -1), rows);
  });

  test('readings of a file are samples of their units, unchanged when it comes again, and gone after an undo', async () => {
    const { bankId, unit } = await newBank();
    const rows = [
      ['a', unit, '2026-01-31T08:15', 'EnergyReading', '1234.5'],
      ['b', unit, '2026-02-28T00:00:00Z', 'EnergyReading', '1300'],
    ];
    const planned = await plan(bankId, ...rows);
    assert.deepEqual(planned.counts, { create: 2, update: 0, unchanged: 0, missing: 0, refused: 0 });
    const applied = await applyPlan(service, planned, manager);
    assert.equal(applied.state, 'applied', JSON.stringify(await listRows(service, planned.kid, manager)));
    const text = await exported(bankId);
    assert.ok(text.includes(`"a","${unit}","2026-01-31T07:15:00.000Z","EnergyReading","1234.500"`), text);
    const states = () =>
      service.read('sund', (db) =>
        db.selectFrom('unit_states').select(['name', 'value']).where('bank_id', '=', bankId).execute(),
      );
    assert.deepEqual(
      (await states()).map(({ name, value }) => [name, value]),
      [['EnergyReading', '1300.000']],
    );
    assert.equal((await plan(bankId, ...rows)).counts.unchanged, 2);
    const changed = await plan(bankId, rows[0]!.with(4, '1234.6'));
    assert.deepEqual(await codesOf(changed.kid), ['a refused value cannot-change']);
    const undone = await undoApplied(service, applied, manager);
    assert.deepEqual([undone.state, undone.outcomes.undone], ['undone', 2]);
    assert.equal((await exported(bankId)).trim().split('\n').length, 1);
    assert.deepEqual(await states(), []);
  });

  test('rows that are no readings are named, and the others are stored if a part is allowed', async () => {
    const { bankId, unit } = await newBank();
    const row = (key: string, changes: Record<number, string> = {}): string[] =>
      [key, unit, '2026-01-31T08:15', 'EnergyReading', '7'].map((cell, at) => changes[at] ?? cell);
    const planned = await plan(
      bankId,
      row('good'),
      row('again'),
      row('counter', { 3: 'VolumeReading' }),
      row('value', { 4: '-1' }),
      row('decimals', { 4: '1.0001' }),
      row('ahead', { 2: '2030-01-01T00:00:00Z' }),
      row('unit', { 1: `${unit.slice(0, -1)}9` }),
      row('at', { 2: 'yesterday' }),
    );
    const codes = await codesOf(planned.kid);
    assert.equal(codes[0], 'good create');
    assert.match(codes[1] ?? '', /^again refused \S+ repeated$/);
    assert.deepEqual(codes.slice(2), [
      'counter refused counter invalid',
      'value refused value invalid',
      'decimals refused value invalid',
      'ahead refused at time-ahead',
      'unit refused unit unknown-reference',
      'at refused at invalid',
    ]);
    const applied = await applyPlan(service, planned, manager, { allowPartial: true });
    assert.deepEqual([applied.state, applied.outcomes.applied], ['applied', 1]);
    assert.equal((await exported(bankId)).trim().split('\n').length, 2);
  });

  test('needs the right to write units in the whole bank', async () => {
    const { bankId } = await newBank();
    const send = async (issued: Parameters<typeof issueToken>[0]) =>
      sendFile(service, csvOf(header), { ...options(bankId), token: await issueToken(issued) });
    const narrow = await send({ grants: [{ bankId, locationId: 1 }] });
    assert.deepEqual([narrow.status, narrow.json.reason], [403, 'too-narrow']);
    const reader = await send({ permissions: ['Bank.Read', 'Location.Read', 'Unit.Read'] });
    assert.deepEqual([reader.status, reader.json.reason], [403, 'missing-unit-write']);
  });
});
