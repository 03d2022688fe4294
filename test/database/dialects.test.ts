// Both dialects behave the same: split sums, additions to existing rows, inserts of any size, and queries prepared
// once.

import * as fc from 'fast-check';
import { sql } from 'kysely';
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Db, WriteDb } from '../../src/database/db.ts';
import { DuplicateError } from '../../src/database/errors.ts';
import { insertRows } from '../../src/database/statements/insert-rows.ts';
import { runPrepared } from '../../src/database/statements/prepared-query.ts';
import { residentRollupUpsertColumns } from '../../src/features/account/rules/resident-rollups.ts';
import { onBothEngines } from '../support/service.ts';
import { openTestDatabase, longDeadline, type TestDatabase } from '../support/test-database.ts';

const two32 = 2n ** 32n;
const int64s = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const edges = [0n, 1n, -1n, two32 - 1n, two32, -two32, -two32 - 1n, 1n - two32, 2n ** 63n - 1n, -(2n ** 63n)];

onBothEngines((engine) => {
  let scratch: TestDatabase;
  before(async () => {
    scratch = await openTestDatabase(engine);
  });
  after(() => scratch.close());
  const read = <T>(work: (db: Db) => Promise<T>): Promise<T> => scratch.database.read(longDeadline, work);
  const write = <T>(work: (db: WriteDb) => Promise<T>): Promise<T> => scratch.database.write(longDeadline, work);
  const emptied = (): Promise<unknown> => write((db) => db.deleteFrom('health').execute());
  const counters = (): Promise<{ id: number; beats: number }[]> =>
    read((db) => db.selectFrom('health').selectAll().orderBy('id').execute());

  test('the halves of a number, each truncated towards zero, add up to it', async () => {
    const halvesOf = (value: bigint): Promise<{ high: number; low: number }> =>
      read(async (db) => {
        const column = sql`cast(${value} as ${sql.raw(engine === 'sqlite' ? 'integer' : 'signed')})`;
        const { rows } = await sql<{ high: number; low: number }>`
          select ${db.dialect.highHalf(column)} as high, ${db.dialect.lowHalf(column)} as low`.execute(db);
        return rows[0] ?? assert.fail('no row');
      });
    const check = async (value: bigint): Promise<void> => {
      const { high, low } = await halvesOf(value);
      assert.deepEqual([high, low], [Number(value / two32), Number(value % two32)], String(value));
    };
    for (const value of edges) await check(value);
    await fc.assert(fc.asyncProperty(int64s, check), { numRuns: 100 });
  });

  test('a number is found exactly among others, also at the limits of 64 bits and among more than a statement can take', async () => {
    const isAmong = (value: bigint, ids: readonly (number | bigint)[]): Promise<boolean> =>
      read(async (db) => {
        const column = sql<number>`cast(${value} as ${sql.raw(engine === 'sqlite' ? 'integer' : 'signed')})`;
        const { rows } = await sql`select 1 as one where ${db.dialect.inList(column, ids)}`.execute(db);
        return rows.length === 1;
      });
    for (const value of edges)
      for (const id of edges) assert.equal(await isAmong(value, [id]), value === id, `${value} ${id}`);
    const many = Array.from({ length: 70_000 }, (_, at) => 2 * at);
    assert.deepEqual([await isAmong(139_998n, many), await isAmong(139_997n, many)], [true, false]);
  });

  test('a text is a positive integer if it has only digits and does not begin with zero', async () => {
    const isPositiveInteger = (text: string | null): Promise<boolean> =>
      read(async (db) => {
        const column = sql`cast(${text} as char)`;
        const { rows } = await sql`select 1 as one where ${db.dialect.isPositiveInteger(column)}`.execute(db);
        return rows.length === 1;
      });
    const others = [
      '',
      '0',
      '01',
      '-1',
      '+1',
      '1.0',
      '1e3',
      ' 1',
      '1 ',
      '1\n',
      '\n1',
      'x',
      '1x',
      'x\n1',
      '1\nx',
      '١',
      null,
    ];
    for (const text of others) assert.equal(await isPositiveInteger(text), false, JSON.stringify(text));
    for (const text of ['1', '9', '10', '65535', '9'.repeat(30)])
      assert.equal(await isPositiveInteger(text), true, text);
    const anyText = fc.string({ unit: fc.constantFrom('0', '1', '5', '9', '.', '-', ' ', 'a', 'x') });
    const property = fc.asyncProperty(anyText, async (text) => {
      assert.equal(await isPositiveInteger(text), /^[1-9][0-9]*$/.test(text));
    });
    await fc.assert(property, { numRuns: 50 });
  });

  test('rows are added to existing rows with the same key, and otherwise inserted', async () => {
    const rowsOf = fc.uniqueArray(fc.record({ id: fc.nat(40), beats: fc.integer() }), {
      selector: ({ id }) => id,
      maxLength: 40,
    });
    const property = fc.asyncProperty(fc.array(rowsOf, { minLength: 1, maxLength: 5 }), async (batches) => {
      await emptied();
      const expected = new Map<number, number>();
      for (const rows of batches) {
        await write((db) => db.dialect.upsertRows(db, 'health', rows, { key: ['id'], sum: ['beats'] }));
        for (const { id, beats } of rows) expected.set(id, (expected.get(id) ?? 0) + beats);
      }
      const all = [...expected].map(([id, beats]) => ({ id, beats })).toSorted((a, b) => a.id - b.id);
      assert.deepEqual(await counters(), all);
    });
    await fc.assert(property, { numRuns: 25 });
  });

  test('the value of a limit does not affect the plan', async () => {
    const { sql: text } = await read(async (db) => db.selectFrom('health').selectAll().limit(3).offset(2).compile());
    const ending = engine === 'sqlite' ? /limit \? \+ 0 offset \? \+ 0$/ : /limit \? offset \?$/;
    assert.match(text, ending);
  });

  test('a minimum and a maximum are kept correctly, also below zero', async () => {
    const rollup = fc.record({ user_id: fc.nat(3), count: fc.nat(9), earliest: fc.integer(), latest: fc.integer() });
    const none = { amount_high: 0, amount_low: 0, fingerprint_high: 0, fingerprint_low: 0, text_bytes: 0 };
    const others = { bank_id: 1, period: 1, currency: 'DKK', kind: 1, is_credit: 0, ...none };
    const property = fc.asyncProperty(fc.array(rollup, { minLength: 1, maxLength: 12 }), async (rows) => {
      await write((db) => db.deleteFrom('resident_rollups').execute());
      for (const row of rows)
        await write((db) =>
          db.dialect.upsertRows(db, 'resident_rollups', [{ ...others, ...row }], residentRollupUpsertColumns),
        );
      const expected = [...Map.groupBy(rows, ({ user_id }) => user_id)].map(([user_id, group]) => ({
        user_id,
        count: group.reduce((sum, { count }) => sum + count, 0),
        earliest: Math.min(...group.map(({ earliest }) => earliest)),
        latest: Math.max(...group.map(({ latest }) => latest)),
      }));
      const found = await read((db) =>
        db
          .selectFrom('resident_rollups')
          .select(['user_id', 'count', 'earliest', 'latest'])
          .orderBy('user_id')
          .execute(),
      );
      assert.deepEqual(
        found,
        expected.toSorted((a, b) => a.user_id - b.user_id),
      );
    });
    await fc.assert(property, { numRuns: 25 });
  });

  test('adding beyond 64 bits is refused and changes nothing', async () => {
    await emptied();
    const greatest = 2n ** 63n - 1n;
    const add = (beats: bigint): Promise<void> =>
      write((db) =>
        db.dialect.upsertRows(db, 'health', [{ id: 1, beats: beats as never }], { key: ['id'], sum: ['beats'] }),
      );
    await add(greatest);
    await assert.rejects(add(1n));
    await add(-1n);
    assert.deepEqual(await counters(), [{ id: 1, beats: greatest - 1n }]);
  });

  test('any number of rows is inserted, each once, and either all or none', async () => {
    for (const count of [0, 1, 1999, 2000, 2001, 20_001]) {
      await emptied();
      const rows = Array.from({ length: count }, (_, id) => ({ id, beats: id * 3 - 1000 }));
      await write((db) => insertRows(db, 'health', rows));
      assert.deepEqual(await counters(), rows);
    }
    const twice = [...Array.from({ length: 9000 }, (_, at) => ({ id: 100_000 + at, beats: 1 })), { id: 5, beats: 1 }];
    await assert.rejects(
      write((db) => insertRows(db, 'health', twice)),
      DuplicateError,
    );
    assert.equal((await counters()).length, 20_001);
  });

  test('a text of an insert can contain what looks like a parameter', async () => {
    const rows = ['?', `'`, '\\', 'a?b', '`'].map((name) => ({ name, value: `${name}?` }));
    await write(async (db) => {
      await db.deleteFrom('tenant_settings').execute();
      await insertRows(db, 'tenant_settings', rows);
    });
    const kept = await read((db) => db.selectFrom('tenant_settings').selectAll().execute());
    assert.deepEqual(
      new Set(kept.map(({ name, value }) => `${name}=${value}`)),
      new Set(rows.map(({ name, value }) => `${name}=${value}`)),
    );
  });

  test('making a scan stoppable leaves out no row', async () => {
    await emptied();
    const rows = Array.from({ length: 5000 }, (_, at) => ({ id: at - 2500, beats: 1 }));
    await write((db) => insertRows(db, 'health', rows));
    const found = await read((db) =>
      db
        .selectFrom('health')
        .select('id')
        .where(({ ref }) => db.dialect.interruptCheck(ref('id')))
        .orderBy('id')
        .execute(),
    );
    assert.equal(found.length, 5000);
  });

  test('a query prepared for its shape is run with the values of each call', async () => {
    await emptied();
    await write((db) =>
      insertRows(
        db,
        'health',
        Array.from({ length: 50 }, (_, id) => ({ id, beats: id % 7 })),
      ),
    );
    let built = 0;
    const between = (db: Db, from: number, to: number, beats: number): Promise<{ id: number }[]> =>
      runPrepared(db, 'between', { from, to, beats }, (at) => {
        built += 1;
        return db
          .selectFrom('health')
          .select('id')
          .where('id', '>=', at<number>('from'))
          .where('id', '<', at<number>('to'))
          .where('beats', '=', at<number>('beats'))
          .orderBy('id');
      });
    for (let at = 0; at < 20; at += 1) {
      const ids = await read((db) => between(db, at, at + 20, at % 7));
      const expected = Array.from({ length: 20 }, (_, step) => at + step).filter((id) => id < 50 && id % 7 === at % 7);
      assert.deepEqual(
        ids.map(({ id }) => id),
        expected,
      );
    }
    assert.equal(built, 1, 'one connection builds it once');
    const ownValue = (db: Db): Promise<unknown> =>
      runPrepared(db, 'own value', {}, () => db.selectFrom('health').select('id').where('id', '=', 5));
    await assert.rejects(read(ownValue), /a value of its own/);
  });
});
