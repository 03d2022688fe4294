// The commands of a workspace: in every state, with every combination of rights, it predicts what each command answers.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
  residentCommands,
  type ResidentCommand,
} from '../../src/features/resident-administration/rules/allowed-commands.ts';
import { tabs, type Permission } from '../../src/permissions/matrix.ts';
import { executeUserCommand, getWorkspace } from '../support/resident-calls.ts';
import { residentFields } from '../../src/features/residents/fields.ts';
import { createBankOfResidents, residentTables, type ResidentDraft } from '../support/resident-rows.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { readTableRows } from '../support/table-rows.ts';
import { testNow } from '../support/times.ts';

type Decision = { readonly command: ResidentCommand; readonly allowed: boolean; readonly reason: string | null };

const bankId = 1001;
const residents: Readonly<Record<string, ResidentDraft & { keyCount?: number }>> = {
  'an active one': {},
  'one with as many keys as there can be': { keyCount: 20 },
  'a disabled one with a key': { enabled: 0, keyCount: 1 },
  'a deleted one': { deleted_at: testNow },
  'a deleted, disabled one with a key': { enabled: 0, deleted_at: testNow, keyCount: 1 },
};
const valueOf = (command: ResidentCommand, residentId: number): { value?: string } => {
  const values: Partial<Record<ResidentCommand, string>> = {
    ...Object.fromEntries(Object.values(residentFields).map(({ command: set, imported }) => [set, imported.example])),
    SetEmail: `another${residentId}@example.org`,
    SetLocation: '',
    AddKey: `FFFF${residentId}`,
    RemoveKey: `04A2${residentId}X0`,
    SetPin: '4711',
  };
  const value = values[command];
  return value === undefined ? {} : { value };
};
const read: readonly Permission[] = ['Bank.Read', 'User.Read'];
const permissionSets: readonly (readonly Permission[])[] = [
  read,
  [...read, 'User.Write'],
  [...read, 'User.Create'],
  [...read, 'User.Write', 'User.Create'],
];
const grantSets = [
  [{ bankId: 0, locationId: 0 }],
  [{ bankId, locationId: 0 }],
  [{ bankId, locationId: 1 }],
  [
    { bankId, locationId: 1 },
    { bankId: 1002, locationId: 0 },
  ],
];

serviceSuite({ now: testNow, manager: false }, ({ service, issueToken }) => {
  const readRows = () => service.read('sund', (db) => readTableRows(db, residentTables, bankId));

  before(async () => {
    const rows = Object.values(residents).map(({ keyCount: _keyCount, ...row }) => row);
    await createBankOfResidents(service, bankId, rows);
    await createBankOfResidents(service, 1002);
    await service.write('sund', async (db) => {
      for (const [at, { keyCount = 0, deleted_at = null }] of Object.values(residents).entries())
        for (let key = 0; key < keyCount; key += 1) {
          const number = `04A2${1001 + at}X${key}`;
          const held_number = deleted_at === null ? number : null;
          const row = { bank_id: bankId, resident_id: 1001 + at, key_number: number, kind: 'Tag', added_at: 1 };
          await db
            .insertInto('resident_keys')
            .values({ ...row, held_number })
            .execute();
        }
    });
  });

  const execute = (residentId: number, command: ResidentCommand, options: { bankId: number; token: string }) =>
    executeUserCommand(service, residentId, { command, ...valueOf(command, residentId) }, options);

  /** Back to what it was, for the next command. */
  async function restoreRows(residentId: number): Promise<void> {
    const { keyCount = 0, ...row } = Object.values(residents)[residentId - 1001]!;
    await service.write('sund', async (db) => {
      for (const table of ['resident_history', 'resident_activations'] as const)
        await db.deleteFrom(table).where('bank_id', '=', bankId).execute();
      await db.deleteFrom('resident_keys').where('key_number', '=', `FFFF${residentId}`).execute();
      await db
        .updateTable('residents')
        .set({ revision: 1, enabled: 1, deleted_at: null, location_id: 1, ...row })
        .where('bank_id', '=', bankId)
        .where('resident_id', '=', residentId)
        .execute();
      const keys = Array.from({ length: keyCount }, (__, key) => ({
        bank_id: bankId,
        resident_id: residentId,
        key_number: `04A2${residentId}X${key}`,
        kind: 'Tag',
        added_at: 1,
        held_number: row.deleted_at === undefined ? `04A2${residentId}X${key}` : null,
      }));
      await db
        .deleteFrom('resident_keys')
        .where('resident_id', '=', residentId)
        .where('bank_id', '=', bankId)
        .execute();
      if (keys.length > 0) await db.insertInto('resident_keys').values(keys).execute();
    });
  }

  for (const [at, name] of Object.keys(residents).entries())
    test(`[residents.02, residents.10, residents.17, residents.19] the workspace of ${name} predicts the answer of each command, for any rights of the manager`, async () => {
      const residentId = 1001 + at;
      const seen = new Set<string | null>();
      const rowsOf = [await readRows()];
      for (const permissions of permissionSets)
        for (const grants of grantSets) {
          const options = { bankId, token: await issueToken({ tabs, permissions, grants, retentionDays: 30 }) };
          const workspace = await getWorkspace(service, residentId, options);
          const decisions: Decision[] = workspace.json.commands;
          assert.deepEqual(
            decisions.map(({ command }) => command),
            residentCommands,
          );
          const refused = decisions.filter(({ allowed }) => !allowed);
          for (const { command, reason } of refused) {
            const { status, json } = await execute(residentId, command, options);
            const isRight = ['too-narrow', 'missing-user-write', 'missing-user-create'].includes(reason ?? '');
            const expected = isRight ? [403, 'forbidden', reason] : [422, 'command-not-allowed', reason];
            assert.deepEqual([status, json.code, json.reason], expected, command);
            seen.add(reason);
          }
          assert.deepEqual(await readRows(), rowsOf.at(-1));
          for (const { command, reason } of decisions.filter(({ allowed }) => allowed)) {
            const { status, text } = await execute(residentId, command, options);
            assert.deepEqual([status, reason], [200, null], `${command}: ${text}`);
            await restoreRows(residentId);
            seen.add(reason);
          }
          rowsOf.push(await readRows());
        }
      for (const reason of [null, 'too-narrow', 'missing-user-write', 'missing-user-create'])
        assert.ok(seen.has(reason), String(reason));
    });

  test('[residents.21] a resident whom a manager without RetentionDays deletes is no longer visible and cannot be restored', async () => {
    const token = await issueToken({ retentionDays: 0 });
    const options = { bankId: 1002, token };
    const deleted = await executeUserCommand(service, 1001, { command: 'Delete' }, options);
    const restore = deleted.json.commands.find(({ command }) => command === 'Restore');
    assert.deepEqual([deleted.status, restore?.reason], [200, 'not-retained']);
    const expectedRevision = deleted.json.revision;
    for (const { status } of [
      await executeUserCommand(service, 1001, { command: 'Restore', expectedRevision }, options),
      await getWorkspace(service, 1001, options),
    ])
      assert.equal(status, 404);
    const keeper = { bankId: 1002, token: await issueToken({ retentionDays: 1 }) };
    const restored = await executeUserCommand(service, 1001, { command: 'Restore', expectedRevision }, keeper);
    assert.deepEqual([restored.status, restored.json.user.state], [200, 'disabled']);
  });
});
