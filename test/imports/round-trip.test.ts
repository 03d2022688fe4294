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
import { importKinds } from '../../src/features/imports/kinds/import-kinds.ts';
import { importKindNames, type ImportKindName } from '../../src/features/imports/rules/kind-names.ts';
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
    // Installers and managers name places by their KIDs, which places do not keep where others were deleted.
    const moved = importKindNames.filter((kind) => kind !== 'installers' && kind !== 'managers');
    for (const kind of moved)
      for (const bankId of importKinds[kind].belongsTo === 'bank' ? banks : [0]) {
        const text = await exportText(from, kind, bankId);
        await importText(to, kind, bankId, text);
        assertSameText(await exportText(to, kind, bankId), text, `${kind} of ${bankId}`);
        // A second time there is nothing to do.
        await importText(to, kind, bankId, text);
      }
  });
});

/** Shows the lines that differ: files of many lines are not worth reading. */
function assertSameText(actual: string, expected: string, name: string): void {
  const wanted = expected.split('\r\n');
  const lines = actual.split('\r\n').map((line, at): readonly [string, string | undefined] => [line, wanted[at]]);
  assert.deepEqual(lines.filter(([line, want]) => line !== want).slice(0, 3), [], name);
  assert.equal(actual, expected, name);
}
