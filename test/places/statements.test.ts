// The statements of overviews: their number does not depend on the number of places, and counts use one index.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createToken, type ManagerOptions } from '../support/factories.ts';
import { createBankTreeModel, createLocationModel, replacePlaces, createUnitModel } from '../support/place-trees.ts';
import { startReadRecorder, type ReadRecorder, type Statement } from '../support/recorded-statements.ts';
import { serviceSuite } from '../support/service-suite.ts';

const units = (count: number) =>
  Array.from({ length: count }, (_, at) => createUnitModel(at + 1, { lastContactAt: at }));
const locations = (count: number, ofUnits: number) =>
  Array.from({ length: count }, (_, at) => createLocationModel(at + 1, units(ofUnits)));

const paths = (query: string): string[] =>
  ['banks/icons', 'banks/sund-B1001/locations', 'banks/sund-B1001/location-icons']
    .concat(['locations/sund-B1001-L1/units', 'locations/sund-B1001-L1/unit-icons'])
    .map((path) => `/api/v1/${path}${query}`);

const viewers: readonly ManagerOptions[] = [
  {},
  { grants: [1001, 1002].map((bankId) => ({ bankId, locationId: 1 })).concat({ bankId: 1003, locationId: 0 }) },
];

serviceSuite({ manager: false }, ({ engine, service, onStop }) => {
  let recorder: ReadRecorder;
  before(async () => {
    recorder = await startReadRecorder(service);
    onStop(recorder.stop);
  });

  test('[places.04] an overview takes as many statements for many banks, locations and units as for few', async () => {
    const counts: number[][] = [];
    for (const [banks, ofLocations, ofUnits] of [
      [3, 2, 1],
      [40, 30, 12],
    ] as const) {
      const tree = Array.from({ length: banks }, (_, at) =>
        createBankTreeModel(1001 + at, locations(at < 3 ? ofLocations : 1, ofUnits)),
      );
      await service.write('sund', (db) => replacePlaces(db, tree));
      const told: number[] = [];
      for (const viewer of viewers) {
        const { token } = await createToken(service, viewer);
        for (const query of ['', '?sort=kid&filter=1', '?limit=1'])
          for (const path of paths(query)) told.push((await recorder.statementsOf(path, token)).length);
      }
      counts.push(told);
    }
    assert.deepEqual(counts[0], counts[1]);
    assert.ok(Math.max(...(counts[0] ?? [])) <= 4, String(counts[0]));
  });

  test('[places.04] units are counted from one index, without reading those of another bank', async () => {
    const [banks, ofLocations, ofUnits] = [20, 30, 12];
    const tree = Array.from({ length: banks }, (_, at) =>
      createBankTreeModel(1001 + at, locations(ofLocations, ofUnits)),
    );
    await service.write('sund', (db) => replacePlaces(db, tree));
    for (const viewer of viewers) {
      const { token } = await createToken(service, viewer);
      for (const path of paths('?limit=200').slice(0, 3)) {
        const counting = (await recorder.statementsOf(path, token)).filter((each) => /count\(/.test(each.sql));
        assert.equal(counting.length, 1);
        await (engine === 'sqlite' ? provedOnSqlite : provedOnMariaDb)(counting[0]!, path);
      }
    }

    async function provedOnSqlite(statement: Statement): Promise<void> {
      const plan = (await recorder.planOf(statement)).map(({ planText }) => planText).join('\n');
      assert.match(plan, /USING COVERING INDEX units_overview \(bank_id=\? AND location_id=\?/);
    }

    async function provedOnMariaDb(statement: Statement, path: string): Promise<void> {
      const steps = await recorder.planOf(statement);
      const [onUnits, ...none] = steps.filter(({ table }) => table === 'u' || table === 'units');
      assert.ok(onUnits !== undefined && none.length === 0, path);
      const { type, key, rows } = JSON.parse(onUnits.planText) as Record<string, unknown>;
      const told = `${path} ${onUnits.planText}`;
      // Most of a bank is counted as well out of the rows themselves, which are the primary key.
      assert.ok(key === 'units_overview' || key === 'PRIMARY', told);
      assert.ok(type === 'ref' || type === 'range', told);
      // An estimate: about one bank's units, and not twenty times as many.
      assert.ok(Number(rows) <= 2 * ofLocations * ofUnits, told);
    }
  });
});
