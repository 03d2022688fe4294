// Many rows are stored as they were given, however many they are and however they are split into statements.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { WriteDb } from '../../src/database/db.ts';
import { insertRows } from '../../src/database/statements/insert-rows.ts';
import type { Tables } from '../../src/database/tables.ts';
import { onBothEngines } from '../support/service.ts';
import { openTestDatabase, longDeadline, type TestDatabase } from '../support/test-database.ts';

type Sample = Tables['state_samples'];

// None, few, and around what one statement takes.
const counts = [0, 1, 2, 100, 1332, 1333, 1334, 2700];
const oddValues = [null, '', ' ', 'a\u0000b', '‘quoted’ \'"\\?', '\u{1F9FA}', '-9223372036854775808', 'ÆØÅ'];

const createSamples = (count: number): Sample[] =>
  Array.from({ length: count }, (_, at) => ({
    series_id: 1,
    at: at === 0 ? -Number.MAX_SAFE_INTEGER : at,
    value: oddValues[at % oddValues.length] ?? null,
  }));

onBothEngines((engine) => {
  let scratch: TestDatabase;
  before(async () => {
    scratch = await openTestDatabase(engine);
  });
  after(() => scratch.close());

  const write = (work: (db: WriteDb) => Promise<unknown>): Promise<unknown> =>
    scratch.database.write(longDeadline, work);
  const clear = () => write((db) => db.deleteFrom('state_samples').execute());
  const stored = () =>
    scratch.database.read(longDeadline, (db) =>
      db.selectFrom('state_samples').select(['series_id', 'at', 'value']).orderBy('at').execute(),
    );

  for (const count of counts)
    test(`${count} rows are inserted as they were given`, async () => {
      await clear();
      await write((db) => insertRows(db, 'state_samples', createSamples(count)));
      assert.deepEqual(await stored(), createSamples(count));
    });

  test('nothing of many rows is stored where one of them is there already', async () => {
    await clear();
    const rows = createSamples(2700);
    await assert.rejects(write((db) => insertRows(db, 'state_samples', [...rows, ...rows.slice(-1)])));
    assert.deepEqual(await stored(), []);
  });
});
