// What becomes of imports that ended long ago, that were interrupted, or whose process cannot go on with them.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { pino } from 'pino';
import type { TenantDatabase } from '../../src/database/tenant-database.ts';
import { StorageError } from '../../src/database/errors.ts';
import {
  applyByOperator,
  planByOperator,
  undoByOperator,
  type OperatorImports,
} from '../../src/features/imports/commands/import-by-operator.ts';
import { createImportJobs } from '../../src/features/imports/process/import-jobs.ts';
import { insertPlanRows } from '../../src/features/imports/queries/import-rows.ts';
import { findImport, updateImport } from '../../src/features/imports/queries/imports.ts';
import type { ImportState } from '../../src/features/imports/rules/import-states.ts';
import { storageError, waitUntil } from '../support/async.ts';
import { insertTestBank } from '../support/factories.ts';
import { importTarget } from '../support/import-kinds.ts';
import { csvOf } from '../support/imports.ts';
import { onBothEngines } from '../support/service.ts';
import { longDeadline, openTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { testNow } from '../support/times.ts';

const dayMs = 24 * 3600 * 1000;
const bankId = 1001;
const { tenant: importTenant } = importTarget(bankId);
const silentLog = pino({ level: 'silent' });

onBothEngines((engine) => {
  let scratch: TestDatabase;
  let operator: OperatorImports;
  let now: number;
  const clock = (): number => now;
  beforeEach(async () => {
    now = testNow;
    scratch = await openTestDatabase(engine);
    operator = { database: scratch.database, tenant: importTenant, clock };
    await scratch.database.write(longDeadline, (db) => insertTestBank(db, { bankId }));
  });
  afterEach(() => scratch.close());

  const idOf = ({ kid }: { readonly kid: string }): number => Number(kid.replace('sund-F', ''));
  const find = (importId: number) => scratch.database.read(longDeadline, (db) => findImport(db, importId));
  const countRows = async (importId: number): Promise<number> =>
    scratch.database.read(longDeadline, async (db) => {
      const rows = await db.selectFrom('import_rows').select('position').where('import_id', '=', importId).execute();
      return rows.length;
    });
  const plan = (ids: readonly number[], database: TenantDatabase = scratch.database) => {
    const text = csvOf(['key', 'name'], ...ids.map((id) => [`k${id}`, `Demo ${id}`]));
    const file = async function* () {
      yield Buffer.from(text);
    };
    return planByOperator(
      { ...operator, database },
      { kind: 'residents', bankId, profile: undefined, missing: 'deactivate', options: {}, file: file() },
    );
  };
  const take = async (ids: readonly number[]) => {
    const planned = await plan(ids);
    const { missing } = planned.counts;
    const expectedMissing = missing === 0 ? undefined : missing;
    return applyByOperator(operator, idOf(planned), { allowPartial: true, expectedMissing });
  };
  /** Looks for work once, with all writes through `write`. */
  async function look(until: () => Promise<boolean>, write: TenantDatabase['write'] = scratch.database.write) {
    const database = { ...scratch.database, write };
    const databases = { ...scratch.databases, forTenant: () => database };
    const jobs = createImportJobs({ databases, tenants: [importTenant], clock, log: silentLog });
    jobs.start();
    try {
      await waitUntil('the work is done', until);
    } finally {
      await jobs.close();
    }
  }
  const store = (importId: number, changes: object): Promise<void> =>
    scratch.database.write(longDeadline, (db) => updateImport(db, importId, changes));
  const isIn = (importId: number, state: ImportState) => async () => (await find(importId))?.state === state;

  test('[imports.63] the rows of an import are deleted 91 days after its last change, in parts that others do not wait for', async () => {
    const importId = idOf(await take([1]));
    const rows = Array.from({ length: 4500 }, (_, at) => ({
      position: at + 2,
      line: at + 2,
      key: `k${(at * 7919) % 4500}x`,
      action: 'unchanged' as const,
      objectKid: null,
      revision: null,
      values: { name: 'Demo' },
      changes: [],
      errors: [],
    }));
    await scratch.database.write(longDeadline, (db) => insertPlanRows(db, importId, rows));
    now += 90 * dayMs;
    const later = idOf(await take([1, 2]));
    now += dayMs;
    const left: number[] = [];
    await look(
      async () => (await countRows(importId)) === 0,
      async (options, work) => {
        const result = await scratch.database.write(options, work);
        left.push(await countRows(importId));
        return result;
      },
    );
    assert.ok(left.length >= 3, `${left.length} transactions`);
    for (const [at, count] of left.entries()) assert.ok((left[at - 1] ?? 4501) - count <= 2000, String(left));
    assert.ok((await countRows(later)) > 0);
    assert.equal((await find(importId))?.state, 'applied');
  });

  test('[imports.63] an import cannot be undone any more when its rows may be gone', async () => {
    const importId = idOf(await take([1, 2]));
    now += 90 * dayMs + 1;
    await assert.rejects(undoByOperator(operator, importId), { code: 'import-not-allowed' });
    assert.deepEqual(
      await scratch.database.read(longDeadline, (db) => db.selectFrom('residents').select('deleted_at').execute()),
      [{ deleted_at: null }, { deleted_at: null }],
    );
    now -= 1;
    assert.equal((await undoByOperator(operator, importId)).outcomes.undone, 2);
  });

  test('a plan that somebody asks for while old plans are deleted is kept', async () => {
    const importId = idOf(await plan([1]));
    now += 91 * dayMs;
    let asked = false;
    await look(
      async () => asked,
      async (options, work) => {
        await store(importId, { state: 'applying', changed_at: now, lease_until: now + dayMs });
        const result = await scratch.database.write(options, work);
        asked = true;
        return result;
      },
    );
    assert.equal((await find(importId))?.state, 'applying');
    assert.equal(await countRows(importId), 1);
  });

  test('an old plan that nobody asked for is cancelled', async () => {
    const importId = idOf(await plan([1]));
    now += 91 * dayMs;
    await look(async () => (await countRows(importId)) === 0);
    assert.equal((await find(importId))?.state, 'cancelled');
  });

  test('an import that cannot be carried out keeps no other from being', async () => {
    const poison = idOf(await plan([1]));
    const good = idOf(await plan([2]));
    await store(poison, { state: 'applying', actor: '{"of":"a later version"}' });
    await store(good, { state: 'planning', lease_until: now - 1 });
    await look(isIn(good, 'failed'));
    assert.equal((await find(poison))?.state, 'applying');
  });

  test('[sync.11] who comes back in a full file is active again, also when the plan that said so is long gone', async () => {
    const states = (): Promise<number[]> =>
      scratch.database.read(longDeadline, async (db) => {
        const rows = await db.selectFrom('residents').select('enabled').orderBy('resident_id').execute();
        return rows.map(({ enabled }) => enabled);
      });
    await take([1, 2, 3]);
    const disabled = idOf(await take([1, 2]));
    assert.deepEqual(await states(), [1, 1, 0]);
    now += 91 * dayMs;
    await look(async () => (await countRows(disabled)) === 1);
    const kept = await scratch.database.read(longDeadline, (db) =>
      db.selectFrom('import_rows').selectAll().where('import_id', '=', disabled).execute(),
    );
    assert.deepEqual(
      kept.map(({ row_values, changes, errors }) => [row_values, changes, errors]),
      [[null, null, null]],
    );
    await take([1, 2, 3]);
    assert.deepEqual(await states(), [1, 1, 1]);
  });

  test('a plan that may be stored is reported as unknown, whatever else goes wrong', async () => {
    const { database } = scratch;
    const lossy: TenantDatabase = {
      ...database,
      write: async (options, work) => {
        const result = await database.write(options, work);
        const isStored = (await find(1))?.state === 'planned';
        if (isStored) throw new StorageError('outcome-unknown', new Error('connection lost'));
        return result;
      },
    };
    await assert.rejects(plan([1], lossy), storageError('outcome-unknown'));
    assert.equal((await find(1))?.state, 'planned');
  });
});
