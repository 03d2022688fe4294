// A whole tenant out and in again: every export of the demo, imported into an empty database, gives the same export.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TenantDatabase } from '../../src/database/tenant-database.ts';
import { exportByOperator } from '../../src/features/imports/commands/export-by-operator.ts';
import {
  applyByOperator,
  listByOperator,
  planByOperator,
  type OperatorImports,
} from '../../src/features/imports/commands/import-by-operator.ts';
import { importKinds } from '../../src/features/import-kinds/import-kinds.ts';
import { importKindNames, type ImportKindName } from '../../src/features/import-kinds/rules/kind-names.ts';
import { newLocationRow } from '../../src/features/places/rules/new-place-rows.ts';
import { parseKid } from '../../src/lib/kid.ts';
import { getTenant, openMigratedDatabases, seedDemoTenant, type MigratedDatabases } from '../support/demo-database.ts';
import { onBothEngines } from '../support/service.ts';
import { testNow } from '../support/times.ts';

const tenant = getTenant('sund');

onBothEngines((engine) => {
  let full: MigratedDatabases;
  let empty: MigratedDatabases;
  before(async () => {
    full = await openMigratedDatabases(engine, 'sund');
    empty = await openMigratedDatabases(engine, 'sund');
    await seedDemoTenant(full.databases.forTenant('sund'), 'sund', { postings: 300 });
  });
  after(() => Promise.all([full.release(), empty.release()]));

  const operatorOf = (database: TenantDatabase): OperatorImports => ({ database, tenant, clock: () => testNow });
  const listBanks = async (database: TenantDatabase): Promise<number[]> => {
    const rows = await database.read({ deadlineMs: 10_000 }, (db) =>
      db.selectFrom('banks').select('bank_id').where('deleted_at', 'is', null).orderBy('bank_id').execute(),
    );
    return rows.map(({ bank_id }) => bank_id);
  };
  async function exportText(database: TenantDatabase, kind: ImportKindName, bankId: number): Promise<string> {
    let text = '';
    await exportByOperator(operatorOf(database), { kind, bankId }, async (part) => void (text += part));
    return text;
  }
  async function importText(
    database: TenantDatabase,
    kind: ImportKindName,
    bankId: number,
    text: string,
  ): Promise<void> {
    const operator = operatorOf(database);
    const file = (async function* blocks() {
      yield Buffer.from(text);
    })();
    const plan = { kind, bankId, profile: undefined, missing: 'keep', options: {}, file } as const;
    const { kid, state, counts } = await planByOperator(operator, plan);
    const importId = parseKid(kid, 'sund', ['import'])?.importId ?? 0;
    const refused = await Array.fromAsync(listByOperator(operator, importId, { action: 'refused' }));
    assert.deepEqual(
      refused.slice(0, 3).map(({ key, errors }) => [key, errors[0]?.text]),
      [],
      `${kind} of ${bankId}`,
    );
    assert.equal(state, 'planned');
    if (counts.create + counts.update === 0) return;
    const { outcomes } = await applyByOperator(operator, importId, { allowPartial: true });
    assert.deepEqual(outcomes, { ...outcomes, stale: 0, failed: 0 }, `${kind} of ${bankId}`);
  }

  test('[imports.12] an exported tenant that is imported into an empty database is exported again byte for byte', async () => {
    const from = full.databases.forTenant('sund');
    const to = empty.databases.forTenant('sund');
    const banks = await listBanks(from);
    assert.ok(banks.length > 1);
    await makeGaps(from);
    for (const kind of importKindNames)
      for (const bankId of importKinds[kind].belongsTo === 'bank' ? banks : [0]) {
        const text = await exportText(from, kind, bankId);
        await importText(to, kind, bankId, text);
        assertSameText(await exportText(to, kind, bankId), text, `${kind} of ${bankId}`);
        // A second time there is nothing to do.
        await importText(to, kind, bankId, text);
      }
  });
});

/**
 * Places that are deleted, so that those after them have other KIDs where they are imported; one that has a key; and
 * managers who are disabled, since passwords are not exported.
 */
async function makeGaps(database: TenantDatabase): Promise<void> {
  await database.write({ deadlineMs: 10_000 }, async (db) => {
    const [first, second, ...others] = await db
      .selectFrom('locations')
      .select(['bank_id', 'location_id'])
      .where('deleted_at', 'is', null)
      .where('bank_id', '=', 1001)
      .orderBy('location_id')
      .execute();
    assert.ok(first !== undefined && second !== undefined && others.length > 0);
    await db
      .insertInto('locations')
      .values(
        newLocationRow({
          bank_id: 1001,
          location_id: 900,
          name: 'Gone',
          time_zone: 'Europe/Copenhagen',
          deleted_at: 1,
        }),
      )
      .execute();
    await db
      .insertInto('locations')
      .values(
        newLocationRow({ bank_id: 1001, location_id: 901, name: 'After the gap', time_zone: 'Europe/Copenhagen' }),
      )
      .execute();
    await db
      .insertInto('import_keys')
      .values({
        kind: 'locations',
        bank_id: 1001,
        source: 'portal',
        source_key: 'house 1',
        object_kid: `sund-B1001-L${first.location_id}`,
      })
      .execute();
    const { manager_id } = await db
      .selectFrom('managers')
      .select('manager_id')
      .orderBy('manager_id')
      .executeTakeFirstOrThrow();
    await db.deleteFrom('manager_grants').where('manager_id', '=', manager_id).execute();
    for (const location_id of [first.location_id, 900, 901])
      await db.insertInto('manager_grants').values({ manager_id, bank_id: 1001, location_id }).execute();
    await db.updateTable('managers').set({ active: 0 }).execute();
    const installer = await db
      .selectFrom('installers')
      .select('installer_id')
      .orderBy('installer_id')
      .executeTakeFirstOrThrow();
    await db.deleteFrom('installer_locations').where('installer_id', '=', installer.installer_id).execute();
    for (const location_id of [first.location_id, 900, 901])
      await db
        .insertInto('installer_locations')
        .values({ installer_id: installer.installer_id, bank_id: 1001, location_id })
        .execute();
  });
}

/** Shows the lines that differ: files of many lines are not worth reading. */
function assertSameText(actual: string, expected: string, name: string): void {
  const wanted = expected.split('\r\n');
  const lines = actual.split('\r\n').map((line, at): readonly [string, string | undefined] => [line, wanted[at]]);
  assert.deepEqual(lines.filter(([line, want]) => line !== want).slice(0, 3), [], name);
  assert.equal(actual, expected, name);
}
