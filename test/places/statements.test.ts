// What overviews ask of the database: as many statements for many places as for few, and counts out of one index.

import { sql } from 'kysely';
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Databases } from '../../src/database/databases.ts';
import type { Db } from '../../src/database/db.ts';
import { createToken, type ManagerOptions } from '../support/factories.ts';
import { startInstance, type TestInstance } from '../support/instances.ts';
import { createBankTreeModel, createLocationModel, replacePlaces, createUnitModel } from '../support/place-trees.ts';
import { serviceSuite } from '../support/service-suite.ts';

type Statement = { readonly sql: string; readonly parameters: readonly unknown[] };

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
  let watched: TestInstance;
  let asked: Statement[] = [];
  before(async () => {
    const { databases } = service.services;
    watched = await startInstance(service, { databases: watching(databases) });
    onStop(watched.stop);
  });

  /** The databases, and every statement of a read written down. */
  const watching = (databases: Databases): Databases => ({
    ...databases,
    forTenant: (tenant) => ({
      ...databases.forTenant(tenant),
      read: (options, work) => databases.forTenant(tenant).read(options, (db) => work(written(db))),
    }),
  });
  function written(db: Db): Db {
    const executor = db.getExecutor();
    const execute = executor.executeQuery.bind(executor);
    executor.executeQuery = (query, ...rest) => {
      asked.push(query);
      return execute(query, ...rest);
    };
    return db;
  }

  async function statementsOf(path: string, token: string): Promise<Statement[]> {
    // The first call reads the session, too.
    await watched.call('GET', path, { token });
    asked = [];
    const { status } = await watched.call('GET', path, { token });
    assert.equal(status, 200, path);
    return asked;
  }

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
          for (const path of paths(query)) told.push((await statementsOf(path, token)).length);
      }
      counts.push(told);
    }
    assert.deepEqual(counts[0], counts[1]);
    assert.ok(Math.max(...(counts[0] ?? [])) <= 4, String(counts[0]));
  });

  test('[places.04] units are counted without reading one of another bank, and out of one index', async () => {
    const [banks, ofLocations, ofUnits] = [20, 30, 12];
    const tree = Array.from({ length: banks }, (_, at) =>
      createBankTreeModel(1001 + at, locations(ofLocations, ofUnits)),
    );
    await service.write('sund', (db) => replacePlaces(db, tree));
    for (const viewer of viewers) {
      const { token } = await createToken(service, viewer);
      for (const path of paths('?limit=200').slice(0, 3)) {
        const counting = (await statementsOf(path, token)).filter((each) => /count\(/.test(each.sql));
        assert.equal(counting.length, 1);
        await (engine === 'sqlite' ? provedOnSqlite : provedOnMariaDb)(counting[0]!, path);
      }
    }

    async function provedOnSqlite(statement: Statement): Promise<void> {
      const plan = (await planOf(statement)).map(({ detail }) => detail).join('\n');
      assert.match(plan, /USING COVERING INDEX units_overview \(bank_id=\? AND location_id=\?/);
    }

    async function provedOnMariaDb(statement: Statement, path: string): Promise<void> {
      const [onUnits, ...none] = (await planOf(statement)).filter(({ table }) => table === 'u' || table === 'units');
      assert.ok(onUnits !== undefined && none.length === 0, path);
      const { type, key, rows } = onUnits;
      const told = `${path} ${JSON.stringify(onUnits)}`;
      // Most of a bank is counted as well out of the rows themselves, which are the primary key.
      assert.ok(key === 'units_overview' || key === 'PRIMARY', told);
      assert.ok(type === 'ref' || type === 'range', told);
      // An estimate: about one bank's units, and not twenty times as many.
      assert.ok(Number(rows) <= 2 * ofLocations * ofUnits, told);
    }
  });

  /** What the engine says of it: a row by table on MariaDB, by step on SQLite. */
  const planOf = async ({ sql: text, parameters }: Statement): Promise<Record<string, unknown>[]> => {
    const { rows } = await service.read('sund', (db) => {
      const [head, ...rest] = text.split('?');
      const explain = engine === 'sqlite' ? 'explain query plan' : 'explain';
      const query = sql`${sql.raw(`${explain} ${head}`)}`;
      const filled = rest.map((part, at) => sql`${parameters[at]}${sql.raw(part)}`);
      return sql<Record<string, unknown>>`${query}${sql.join(filled, sql``)}`.execute(db);
    });
    return rows;
  };
});
