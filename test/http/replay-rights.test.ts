// A stored answer is replayed only to a manager who could make the request now: rights and object are checked first, and
// a refusal is the one that a new request would get.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOperations } from '../../src/app.ts';
import type { WriteDb } from '../../src/database/db.ts';
import { lockAndAppendPostings } from '../../src/features/account/queries/ledger.ts';
import { postingDraft } from '../support/account-reads.ts';
import { createBookableBank, executeCommand, insertBooking } from '../support/bookings.ts';
import { addressWrites, prepareAddressWrite } from '../support/address-writes.ts';
import type { HttpReply } from '../support/call.ts';
import { heldLineKid, insertHeldLines, resolveHeldLine } from '../support/held-lines.ts';
import { insertTestComputer, revokeComputer } from '../support/computers.ts';
import { insertFailedSync, retryDeviceSync } from '../support/device-syncs.ts';
import { createToken, insertTestManager } from '../support/factories.ts';
import { grantBank } from '../support/granted-banks.ts';
import { isReplay } from '../support/idempotent-operations.ts';
import { applyPlan, importPath, planFile, waitForImport } from '../support/imports.ts';
import { deleteInstaller, insertTestInstaller, setInstallerIcon } from '../support/installers.ts';
import { setPermission, setRole } from '../support/manager-calls.ts';
import { isManagerOperation } from '../../src/http/operations/operation-properties.ts';
import type { Permission, Tab } from '../../src/permissions/matrix.ts';
import { confirmCode, requestCode, setField, setTheme, takeCode, takeMails } from '../profile/support/own-profile.ts';
import { createUser, executeUserCommand } from '../support/resident-calls.ts';
import { reverseEntry } from '../support/reversal.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { testNow } from '../support/times.ts';
import { callSetUnitSetting, setUnitType, unitIds, unitPath, updateUnit } from '../support/unit-settings.ts';

type Send = (options: { token: string; headers: Record<string, string> }) => Promise<HttpReply>;
type Change = (db: WriteDb, bankId: number, managerId: number) => Promise<unknown>;
type Refusal = readonly [change: Change, status: number, code: string];

const changeBank = (db: WriteDb, bankId: number, deleted_at: number | null) =>
  db.updateTable('banks').set({ deleted_at }).where('bank_id', '=', bankId).execute();
const changeLocation = (db: WriteDb, bankId: number, deleted_at: number | null) =>
  db.updateTable('locations').set({ deleted_at }).where('bank_id', '=', bankId).execute();
const changeGrant = (db: WriteDb, managerId: number, grant: { bank_id: number; location_id: number }) =>
  db.updateTable('manager_grants').set(grant).where('manager_id', '=', managerId).execute();

const deleteBank: Change = (db, bankId) => changeBank(db, bankId, 1);
const deleteLocations: Change = (db, bankId) => changeLocation(db, bankId, 1);
const withdrawBank: Change = (db, _, managerId) => changeGrant(db, managerId, { bank_id: 999, location_id: 0 });
const narrowGrant: Change = (db, bankId, managerId) => changeGrant(db, managerId, { bank_id: bankId, location_id: 2 });
/** The location where the residents live. */
const narrowToHome: Change = (db, bankId, managerId) => changeGrant(db, managerId, { bank_id: bankId, location_id: 1 });
const deleteResidents: Change = (db, bankId) =>
  db.updateTable('residents').set({ deleted_at: 1 }).where('bank_id', '=', bankId).execute();
const deactivate: Change = (db, _, managerId) =>
  db.updateTable('managers').set({ active: 0 }).where('manager_id', '=', managerId).execute();
const withdrawPermissions: Change = (db, _, managerId) =>
  db.deleteFrom('manager_permissions').where('manager_id', '=', managerId).execute();
const withdrawTabs: Change = (db, _, managerId) =>
  db.deleteFrom('manager_tabs').where('manager_id', '=', managerId).execute();

const withdrawTab =
  (tab: Tab): Change =>
  (db, _, managerId) =>
    db.deleteFrom('manager_tabs').where('manager_id', '=', managerId).where('tab', '=', tab).execute();
const withdrawPermission =
  (permission: Permission): Change =>
  (db, _, managerId) =>
    db
      .deleteFrom('manager_permissions')
      .where('manager_id', '=', managerId)
      .where('permission', '=', permission)
      .execute();

/** What a manager can lose, and the answer to a new request afterwards. */
const refusalsByOperation: Record<string, Readonly<Record<string, Refusal>>> = {
  ReverseBankAccountEntry: {
    'the Tab': [withdrawTabs, 403, 'forbidden'],
    'the grant': [withdrawBank, 404, 'not-found'],
    'a grant wide enough': [narrowGrant, 403, 'forbidden'],
    'the bank': [deleteBank, 404, 'not-found'],
  },
  SetUnitSetting: {
    'the Tab': [withdrawTabs, 403, 'forbidden'],
    'the grant': [withdrawBank, 404, 'not-found'],
    'a grant for the location': [narrowGrant, 404, 'not-found'],
    'the bank': [deleteBank, 404, 'not-found'],
    'the location': [deleteLocations, 404, 'not-found'],
    'the unit': [(db, bankId) => updateUnit(db, unitIds(bankId), { deleted_at: 1 }), 404, 'not-found'],
    'the setting': [(db, bankId) => setUnitType(db, unitIds(bankId), 'smoke_detector'), 404, 'not-found'],
  },
  ExecuteBankBookingCommand: {
    'the Tab': [withdrawTabs, 403, 'forbidden'],
    'the grant': [withdrawBank, 404, 'not-found'],
    'a grant for the location': [narrowGrant, 404, 'not-found'],
    'the bank': [deleteBank, 404, 'not-found'],
    'the location': [deleteLocations, 404, 'not-found'],
  },
  CreateBankUser: {
    'the Tab': [withdrawTabs, 403, 'forbidden'],
    'the permission': [withdrawPermissions, 403, 'forbidden'],
    'the grant': [withdrawBank, 404, 'not-found'],
    'a grant wide enough': [narrowGrant, 403, 'forbidden'],
    'the bank': [deleteBank, 404, 'not-found'],
  },
  ExecuteBankUserCommand: {
    'the Tab': [withdrawTabs, 403, 'forbidden'],
    'the permission': [withdrawPermissions, 403, 'forbidden'],
    'the grant': [withdrawBank, 404, 'not-found'],
    'a grant wide enough': [narrowToHome, 403, 'forbidden'],
    'the bank': [deleteBank, 404, 'not-found'],
    'the resident': [deleteResidents, 404, 'not-found'],
  },
  RevokeComputer: {
    'the Tab': [withdrawTabs, 403, 'forbidden'],
    'the permission': [withdrawPermissions, 403, 'forbidden'],
    'the grant': [withdrawBank, 404, 'not-found'],
    'a grant wide enough': [narrowGrant, 403, 'forbidden'],
    'the bank': [deleteBank, 404, 'not-found'],
  },
  SendUnitCommand: {
    'the Tab': [withdrawTabs, 403, 'forbidden'],
    'the permission': [withdrawPermissions, 403, 'forbidden'],
    'the grant': [withdrawBank, 404, 'not-found'],
    'a grant for the location': [narrowGrant, 404, 'not-found'],
    'the bank': [deleteBank, 404, 'not-found'],
    'the location': [deleteLocations, 404, 'not-found'],
    'the unit': [(db, bankId) => updateUnit(db, unitIds(bankId), { deleted_at: 1 }), 404, 'not-found'],
  },
  RetryDeviceSync: {
    'the Tab': [withdrawTabs, 403, 'forbidden'],
    'the permission': [withdrawPermissions, 403, 'forbidden'],
    'the grant': [withdrawBank, 404, 'not-found'],
    'a grant for the location': [narrowGrant, 404, 'not-found'],
    'the bank': [deleteBank, 404, 'not-found'],
  },
  ResolveHeldLine: {
    'the Tab': [withdrawTabs, 403, 'forbidden'],
    'the permission': [withdrawPermissions, 403, 'forbidden'],
    'the grant': [withdrawBank, 404, 'not-found'],
    'a grant wide enough': [narrowGrant, 403, 'forbidden'],
    'the bank': [deleteBank, 404, 'not-found'],
  },
  SetInstallerIcon: {
    'the Tab': [withdrawTabs, 403, 'forbidden'],
    'the permission': [withdrawPermissions, 403, 'forbidden'],
    'a grant wide enough': [narrowGrant, 403, 'forbidden'],
    'the installer': [(db, bankId) => deleteInstaller(db, bankId), 404, 'not-found'],
  },
};

/** Operations that need a tenant-wide grant. */
const tenantWideOperations = new Set([
  'SetImportProfile',
  'SetInstallerIcon',
  'SetManagerPermission',
  'SetManagerPermissionRole',
]);
const ownProfileWrites = [
  'SetMyManagerProfileField',
  'SetCurrentManagerTheme',
  'RequestMyManagerEmailVerification',
  'ConfirmMyManagerEmail',
];
// These need only a session.
for (const operationId of ownProfileWrites)
  refusalsByOperation[operationId] = { 'the session': [deactivate, 401, 'unauthenticated'] };
for (const operationId of ['SetManagerPermission', 'SetManagerPermissionRole'])
  refusalsByOperation[operationId] = {
    'the Tab': [withdrawTabs, 403, 'forbidden'],
    'the permission': [withdrawPermissions, 403, 'forbidden'],
    'the grant': [withdrawBank, 403, 'forbidden'],
    'the manager': [
      (db) => db.updateTable('managers').set({ deleted_at: 1 }).where('name', '=', 'Changed').execute(),
      404,
      'not-found',
    ],
  };

for (const operationId of ['ApplyImport', 'UndoImport', 'CancelImport'])
  refusalsByOperation[operationId] = {
    'any Tab': [withdrawTabs, 403, 'forbidden'],
    'the Tab of residents': [withdrawTab('Users2'), 403, 'forbidden'],
    'the permissions': [withdrawPermissions, 403, 'forbidden'],
    'the permission of every import': [withdrawPermission('Bank.Read'), 403, 'forbidden'],
    'the permission to create residents': [withdrawPermission('User.Create'), 403, 'forbidden'],
    'the permission to change residents': [withdrawPermission('User.Write'), 403, 'forbidden'],
    'the grant': [withdrawBank, 404, 'not-found'],
    'a grant wide enough': [narrowGrant, 403, 'forbidden'],
    'the bank': [deleteBank, 404, 'not-found'],
  };
refusalsByOperation['SetImportProfile'] = {
  'any Tab': [withdrawTabs, 403, 'forbidden'],
  'the permissions': [withdrawPermissions, 403, 'forbidden'],
  'the permission to change residents': [withdrawPermission('User.Write'), 403, 'forbidden'],
  'the grant': [withdrawBank, 403, 'forbidden'],
  'a grant wide enough': [narrowGrant, 403, 'forbidden'],
};

for (const operationId of [...Object.keys(addressWrites), 'LookupObjectCoordinates'])
  refusalsByOperation[operationId] = {
    'the Tab': [withdrawTabs, 403, 'forbidden'],
    'the permission': [withdrawPermissions, 403, 'forbidden'],
    'the grant': [withdrawBank, 404, 'not-found'],
    'a grant for the location': [narrowGrant, 404, 'not-found'],
    'the bank': [deleteBank, 404, 'not-found'],
    'the location': [deleteLocations, 404, 'not-found'],
    'the unit': [(db, bankId) => updateUnit(db, unitIds(bankId), { deleted_at: 1 }), 404, 'not-found'],
  };

serviceSuite({ now: testNow, manager: false }, ({ service, nextBankId }) => {
  test('[general.47] this suite covers every operation that accepts a key', () => {
    const { operations } = createOperations(service.dependencies);
    const keyed = operations.filter((each) => isManagerOperation(each) && each.acceptsIdempotencyKey === true);
    assert.deepEqual(keyed.map(({ id }) => id).toSorted(), Object.keys(refusalsByOperation).toSorted());
  });

  /** The request of each operation, in its own bank. */
  const createRequest: Record<string, (bankId: number) => Promise<Send>> = {
    ReverseBankAccountEntry: async (bankId) => {
      const draft = postingDraft(testNow, { internalTag: 1 });
      const posting = await service.write('sund', (db) => lockAndAppendPostings(db, grantBank(bankId), [draft]));
      return (options) => reverseEntry(service, posting, { ...options, bankId });
    },
    SetUnitSetting: async (bankId) => (options) =>
      callSetUnitSetting(service, unitIds(bankId), 'MaxSpinSpeed', 1200, options),
    ExecuteBankBookingCommand: async (bankId) => {
      const event = await insertBooking(service, {}, bankId);
      return (options) => executeCommand(service, event, 'Cancel', { ...options, bankId });
    },
    CreateBankUser: async (bankId) => (options) => createUser(service, {}, { ...options, bankId }),
    ExecuteBankUserCommand: async (bankId) => (options) =>
      executeUserCommand(service, 1001, { command: 'Disable' }, { ...options, bankId }),
    SendUnitCommand: async (bankId) => (options) =>
      service.call('POST', unitPath(unitIds(bankId), '/commands'), { body: { name: 'Restart' }, ...options }),
    RetryDeviceSync: async (bankId) => {
      const syncId = await service.write('sund', (db) => insertFailedSync(db, bankId));
      return (options) => retryDeviceSync(service, syncId, { ...options, bankId });
    },
    RevokeComputer: async (bankId) => {
      const { kid } = await service.write('sund', (db) => insertTestComputer(db, { bankId, now: testNow }));
      return (options) => revokeComputer(service, kid, options);
    },
    ResolveHeldLine: async (bankId) => {
      await service.write('sund', (db) => insertTestComputer(db, { bankId, now: testNow }));
      await service.write('sund', (db) => insertHeldLines(db, { bankId }));
      return (options) => resolveHeldLine(service, heldLineKid(1, bankId), options);
    },
    SetInstallerIcon: async (bankId) => {
      await service.write('sund', (db) => insertTestInstaller(db, { installerId: bankId }));
      return (options) => setInstallerIcon(service, bankId, 'person_star', options);
    },
  };
  createRequest['SetMyManagerProfileField'] = async () => (options) =>
    setField(service, 'Name', { value: 'Demo Person' }, options);
  createRequest['SetCurrentManagerTheme'] = async () => (options) => setTheme(service, 2, options);
  createRequest['RequestMyManagerEmailVerification'] = async () => (options) =>
    requestCode(service, 'new@example.org', options);
  createRequest['ConfirmMyManagerEmail'] = async () => {
    await takeMails(service);
    let code: string | undefined;
    return async (options) => {
      if (code === undefined) await requestCode(service, 'new@example.org', { token: options.token });
      return confirmCode(service, (code ??= await takeCode(service)), options);
    };
  };
  const insertChanged = () => service.write('sund', (db) => insertTestManager(db, { name: 'Changed' }));
  createRequest['SetManagerPermission'] = async () => {
    const { managerId } = await insertChanged();
    return (options) => setPermission(service, managerId, { permission: 'Bank.Read', granted: false }, options);
  };
  createRequest['SetManagerPermissionRole'] = async () => {
    const { managerId } = await insertChanged();
    return (options) => setRole(service, managerId, { role: 'None' }, options);
  };
  const planResident = async (bankId: number, planner: { token: string }) =>
    planFile(service, 'key;name\r\nt1;Anna Demo\r\n', { ...planner, kind: 'residents', bankId });
  for (const [operationId, action] of [
    ['ApplyImport', 'apply'],
    ['UndoImport', 'undo'],
    ['CancelImport', 'cancel'],
  ] as const)
    createRequest[operationId] = async (bankId) => {
      const planner = await createToken(service);
      const planned = await planResident(bankId, planner);
      const { kid, revision } = action === 'undo' ? await applyPlan(service, planned, planner) : planned;
      const body = action === 'cancel' ? undefined : { expectedRevision: revision };
      return async (options) => {
        const reply = await service.call('POST', `${importPath(kid)}/${action}`, { ...options, body });
        // The rows are written after the answer.
        if (reply.status === 202) await waitForImport(service, kid, planner);
        return reply;
      };
    };
  createRequest['SetImportProfile'] = async (bankId) => {
    const name = `profile-${bankId}`;
    const document = { name, kind: 'residents', format: 'csv', header: true, columns: [{ field: 'key', from: 'Key' }] };
    return (options) => service.call('PUT', `/api/v1/import-profiles/${name}`, { ...options, body: { document } });
  };

  for (const operationId of [...Object.keys(addressWrites), 'LookupObjectCoordinates'])
    createRequest[operationId] = async (bankId) =>
      prepareAddressWrite(service, operationId, `sund-B${bankId}-L1-U1`, await createToken(service));

  for (const [operationId, refusals] of Object.entries(refusalsByOperation))
    for (const [name, [change, status, code]] of Object.entries(refusals))
      test(`[general.47] ${operationId}: without ${name} a replay is refused like a new request`, async () => {
        const bankId = nextBankId();
        await createBookableBank(service, { bankId });
        const { token, managerId } = await createToken(service, {
          grants: [{ bankId: tenantWideOperations.has(operationId) ? 0 : bankId, locationId: 0 }],
        });
        const send = await createRequest[operationId]!(bankId);
        const sendWithKey = (key: string) => send({ token, headers: { 'idempotency-key': key } });
        const first = await sendWithKey('first');
        assert.deepEqual([first.status >= 200 && first.status < 300, isReplay(first)], [true, false], first.text);
        assert.ok(isReplay(await sendWithKey('first')));
        // The guard still has the former rights, because no topic was published.
        await service.write('sund', (db) => change(db, bankId, managerId));
        for (const key of ['first', 'new']) {
          const refused = await sendWithKey(key);
          assert.deepEqual([refused.status, refused.json.code, isReplay(refused)], [status, code, false], key);
        }
      });
});
