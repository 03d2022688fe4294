// All writes of the API, each ready to be sent once, for tests that try every one of them. A new operation fails
// test/audit/writes.test.ts until it is here.

import { hash } from 'node:crypto';
import { lockAndAppendPostings } from '../../src/features/account/queries/ledger.ts';
import { insertVerification } from '../../src/features/profile/queries/email-verifications.ts';
import { hashCode } from '../../src/features/profile/rules/verification-code.ts';
import { residentFieldNames } from '../../src/features/residents/fields.ts';
import { recordOf } from '../../src/lib/values/fields.ts';
import { toMs2000 } from '../../src/lib/time/ms2000.ts';
import { postingDraft } from './account-reads.ts';
import { prepareAddressWrite } from './address-writes.ts';
import { executeCommand, insertBooking } from './bookings.ts';
import type { Call, CallOptions, HttpReply } from './call.ts';
import {
  computerKid,
  createComputer,
  enrol,
  insertTestComputer,
  renewCode,
  renewKey,
  revokeComputer,
  unitKidsOf,
} from './computers.ts';
import { insertFailedSync, retryDeviceSync } from './device-syncs.ts';
import { createToken, insertTestManager } from './factories.ts';
import { grantBank } from './granted-banks.ts';
import { heldLineKid, insertHeldLines, resolveHeldLine } from './held-lines.ts';
import { applyPlan, importPath, planFile, sendFile } from './imports.ts';
import { insertTestInstaller, installerKid, setInstallerIcon } from './installers.ts';
import { setPermission, setRole } from './manager-calls.ts';
import { plainPasswordHash } from './password-hashing.ts';
import { createUser, executeUserCommand } from './resident-calls.ts';
import { reverseEntry } from './reversal.ts';
import type { TestService } from './service.ts';
import { getService, servicePath, setReadAccess, setServiceField } from './services.ts';
import { callSetUnitSetting, unitIds, unitKid, unitPath } from './unit-settings.ts';

type SendWrite = (options: CallOptions & { readonly token: string }) => Promise<HttpReply>;

/** A write that succeeds, and what its audit entry says. */
export type RecordedWrite = {
  readonly send: SendWrite;
  /** The bank; 0 for an object without one. */
  readonly chain?: number;
  readonly object: string;
  readonly before: object | null;
  readonly after: object | null;
  /** The manager who sends it unless told otherwise. */
  readonly actor?: { readonly kind: 'manager' | 'computer'; readonly id: number };
};

export type AllWritesInput = {
  /** Prepares the writes; it has a geocoder that finds every address. */
  readonly service: TestService;
  /** Gets the writes, and compares passwords as `plainPasswords` does. */
  readonly target: { readonly call: Call };
  /** Sends the writes that are not of a session or a computer of their own. */
  readonly actor: { readonly token: string; readonly managerId: number };
  /** A number that nothing else has: of an installer. */
  nextId(): number;
};

const password = 'plain and long enough';
const importedFile = 'key;name\r\nt1;Anna Demo\r\n';
const me = '/api/v1/session/me';

const bankIdOf = (kid: string): number => Number(/B(\d+)/.exec(kid)?.[1]);

/** A computer asks, and nothing changes; what computers send is in the streams. */
export const unrecordedWrites: readonly string[] = ['AuthoriseUse', 'SendStreamLines', 'TryImportProfile'];

/** By operation: prepares a write in a bank of its own, which is bookable. */
export function createAllWrites({
  service,
  target,
  actor,
  nextId,
}: AllWritesInput): Readonly<Record<string, (bankId: number) => Promise<RecordedWrite>>> {
  const now = (): number => toMs2000(service.dependencies.clock());
  const insertChanged = () => service.write('sund', (db) => insertTestManager(db, { permissions: ['Bank.Read'] }));
  const nextImportKid = async (): Promise<string> => {
    const head = await service.read('sund', (db) =>
      db.selectFrom('import_heads').select('allocated').executeTakeFirst(),
    );
    return `sund-F${(head?.allocated ?? 0) + 1}`;
  };
  const createImportWrite = (
    bankId: number,
    { kid, revision }: { readonly kid: string; readonly revision: string },
    action: string,
    state: string,
  ): RecordedWrite => ({
    send: (options) =>
      service.call('POST', `${importPath(kid)}/${action}`, {
        ...options,
        ...(action === 'cancel' ? {} : { body: { expectedRevision: revision } }),
      }),
    chain: bankId,
    object: kid,
    before: null,
    after: { kind: 'residents', bankKid: `sund-B${bankId}`, state },
  });
  const addressWrite =
    (operationId: string, oldValues: object, newValues: object, prepare?: (kid: string) => Promise<unknown>) =>
    async (bankId: number): Promise<RecordedWrite> => {
      const object = unitKid(unitIds(bankId));
      await prepare?.(object);
      return {
        send: await prepareAddressWrite(service, operationId, object, actor),
        chain: bankId,
        object,
        before: oldValues,
        after: newValues,
      };
    };
  const storeAddress = (kid: string): Promise<unknown> =>
    service.write('sund', (db) =>
      db
        .updateTable('units')
        .set({ address: 'Elm Lane 1', zip: '2100 Byen' })
        .where('bank_id', '=', bankIdOf(kid))
        .execute(),
    );

  const insertComputer = (bankId: number) =>
    service.write('sund', (db) => insertTestComputer(db, { bankId, now: now() }));

  return {
    LoginManager: async () => {
      const userName = crypto.randomUUID();
      const { managerId } = await service.write('sund', (db) =>
        insertTestManager(db, { userName, passwordHash: plainPasswordHash(password) }),
      );
      return {
        send: ({ token: _token, ...options }) =>
          target.call('POST', '/api/v1/session/login', { ...options, body: { userName, password } }),
        object: `sund-M${managerId}`,
        before: null,
        after: null,
      };
    },
    LogoutManager: async () => {
      const { token, managerId } = await createToken(service);
      const send: SendWrite = (options) => target.call('POST', '/api/v1/session/logout', { ...options, token });
      return { send, object: `sund-M${managerId}`, before: null, after: null };
    },
    SetUnitSetting: async (bankId) => ({
      send: (options) => callSetUnitSetting(target, unitIds(bankId), 'MaxSpinSpeed', 1200, options),
      chain: bankId,
      object: unitKid(unitIds(bankId)),
      before: { setting: 'MaxSpinSpeed', value: '1400' },
      after: { setting: 'MaxSpinSpeed', value: '1200' },
    }),
    SendUnitCommand: async (bankId) => ({
      send: (options) =>
        service.call('POST', unitPath(unitIds(bankId), '/commands'), { ...options, body: { name: 'Restart' } }),
      chain: bankId,
      object: unitKid(unitIds(bankId)),
      before: null,
      after: { command: 'Restart', ttlSeconds: 300 },
    }),
    RetryDeviceSync: async (bankId) => {
      const syncId = await service.write('sund', (db) => insertFailedSync(db, bankId));
      return {
        send: (options) => retryDeviceSync(target, syncId, { ...options, bankId }),
        chain: bankId,
        object: `sund-B${bankId}`,
        before: { syncId, state: 'failed' },
        after: { syncId: syncId + 1, state: 'queued' },
      };
    },
    ReverseBankAccountEntry: async (bankId) => {
      const draft = postingDraft(now(), { internalTag: 1 });
      const posting = await service.write('sund', (db) => lockAndAppendPostings(db, grantBank(bankId), [draft]));
      return {
        send: (options) => reverseEntry(target, posting, { ...options, bankId }),
        chain: bankId,
        object: `sund-B${bankId}-X${posting}`,
        before: { reversedByKid: null },
        after: {
          reversedByKid: `sund-B${bankId}-X${posting + 1}`,
          amountMinor: String(-draft.amountMinor),
          currency: draft.currency,
        },
      };
    },
    ExecuteBankBookingCommand: async (bankId) => {
      const event = await insertBooking(service, {}, bankId);
      return {
        send: (options) => executeCommand(target, event, 'Cancel', { ...options, bankId }),
        chain: bankId,
        object: `sund-B${bankId}-E${event}`,
        before: { state: 'Booked' },
        after: { command: 'Cancel', eventKid: `sund-B${bankId}-E${event + 1}`, transactionKid: null },
      };
    },
    CreateBankUser: async (bankId) => ({
      send: (options) => createUser(target, { language: 'da' }, { ...options, bankId }),
      chain: bankId,
      object: `sund-B${bankId}-R1004`,
      before: null,
      after: {
        ...recordOf(
          residentFieldNames.filter((field) => field !== 'language'),
          () => 'changed',
        ),
        language: 'da',
        locationKid: null,
      },
    }),
    ExecuteBankUserCommand: async (bankId) => ({
      send: (options) => executeUserCommand(target, 1001, { command: 'Disable' }, { ...options, bankId }),
      chain: bankId,
      object: `sund-B${bankId}-R1001`,
      before: { enabled: true },
      after: { command: 'Disable', enabled: false },
    }),
    ResolveHeldLine: async (bankId) => {
      await insertComputer(bankId);
      await service.write('sund', (db) => insertHeldLines(db, { bankId }));
      const object = heldLineKid(1, bankId);
      return {
        send: (options) => resolveHeldLine(target, object, options),
        chain: bankId,
        object,
        before: { state: 'held' },
        after: {
          state: 'resolved',
          action: 'accept',
          transactionKid: `sund-B${bankId}-X1`,
          userKid: `sund-B${bankId}-R1000`,
        },
      };
    },
    BeginStreamEpoch: async (bankId) => {
      const { kid: object, code } = await insertComputer(bankId);
      const { key } = (await enrol(service, code)).json;
      return {
        send: (options) =>
          service.call('POST', '/equipment/v1/streams/money/epoch', {
            ...options,
            token: key,
            body: { epoch: 'e2', reason: 'a new disk' },
          }),
        chain: bankId,
        object,
        before: { stream: 'money', epoch: '', through: 0 },
        after: { stream: 'money', epoch: 'e2', through: 0 },
        actor: { kind: 'computer', id: 1 },
      };
    },
    CreateComputer: async (bankId) => ({
      send: (options) => createComputer(target, { ...options, bankId }),
      chain: bankId,
      object: computerKid(1, bankId),
      before: null,
      after: {
        name: 'laundry-1',
        unitKids: unitKidsOf(['1-1'], bankId),
        enrolmentCode: 'changed',
        enrolmentEnvironment: 'production',
      },
    }),
    RenewComputerCode: async (bankId) => {
      const { kid: object } = await insertComputer(bankId);
      return {
        send: (options) => renewCode(target, object, options),
        chain: bankId,
        object,
        before: null,
        after: { enrolmentCode: 'changed', enrolmentEnvironment: 'production' },
      };
    },
    RevokeComputer: async (bankId) => {
      const { kid: object } = await insertComputer(bankId);
      return {
        send: (options) => revokeComputer(target, object, options),
        chain: bankId,
        object,
        before: { revoked: false },
        after: { revoked: true },
      };
    },
    EnrolComputer: async (bankId) => {
      const { kid: object, code } = await insertComputer(bankId);
      return {
        send: ({ token: _token, ...options }) => enrol(target, code, options),
        chain: bankId,
        object,
        before: null,
        after: { serial: 'SN-1', software: '1.0.0', key: 'changed' },
        actor: { kind: 'computer', id: 1 },
      };
    },
    RenewComputerKey: async (bankId) => {
      const { kid: object, code } = await insertComputer(bankId);
      const { key } = (await enrol(service, code)).json;
      return {
        send: (options) => renewKey(target, key, { ...options, token: key }),
        chain: bankId,
        object,
        before: null,
        after: { key: 'changed' },
        actor: { kind: 'computer', id: 1 },
      };
    },
    CreateImport: async (bankId) => ({
      send: (options) => sendFile(target, importedFile, { ...options, kind: 'residents', bankId }),
      chain: bankId,
      object: await nextImportKid(),
      before: null,
      after: {
        kind: 'residents',
        bankKid: `sund-B${bankId}`,
        state: 'planned',
        fileHash: hash('sha256', importedFile),
        fileBytes: importedFile.length,
      },
    }),
    ApplyImport: async (bankId) => {
      const planned = await planFile(service, importedFile, { ...actor, kind: 'residents', bankId });
      // The row is stale, so that nothing is written after the answer.
      const other = await planFile(service, importedFile, { ...actor, kind: 'residents', bankId });
      await applyPlan(service, other, actor);
      return createImportWrite(bankId, planned, 'apply', 'applying');
    },
    UndoImport: async (bankId) => {
      const planned = await planFile(service, importedFile, { ...actor, kind: 'residents', bankId });
      const applied = await applyPlan(service, planned, actor);
      // The resident has been changed since, and is left as it is.
      await service.write('sund', (db) =>
        db.updateTable('residents').set({ revision: 99 }).where('bank_id', '=', bankId).execute(),
      );
      return createImportWrite(bankId, applied, 'undo', 'undoing');
    },
    CancelImport: async (bankId) =>
      createImportWrite(
        bankId,
        await planFile(service, importedFile, { ...actor, kind: 'residents', bankId }),
        'cancel',
        'cancelled',
      ),
    SetImportProfile: async (bankId) => {
      const name = `profile-${bankId}`;
      const columns = [{ field: 'key', from: 'Key' }];
      const document = { name, kind: 'residents', format: 'csv', header: true, columns };
      return {
        send: (options) => target.call('PUT', `/api/v1/import-profiles/${name}`, { ...options, body: { document } }),
        object: 'sund',
        before: null,
        after: { importProfile: name, kind: 'residents', version: 1 },
      };
    },
    SetInstallerIcon: async () => {
      const installerId = nextId();
      await service.write('sund', (db) => insertTestInstaller(db, { installerId }));
      return {
        send: (options) => setInstallerIcon(target, installerId, 'person_star', options),
        object: installerKid(installerId),
        before: { icon: 'person' },
        after: { icon: 'person_star' },
      };
    },
    SetManagerPermission: async () => {
      const { managerId } = await insertChanged();
      return {
        send: (options) => setPermission(target, managerId, { permission: 'Unit.Read', granted: true }, options),
        object: `sund-M${managerId}`,
        before: { permissions: ['Bank.Read'] },
        after: { permissions: ['Bank.Read', 'Unit.Read'] },
      };
    },
    SetManagerPermissionRole: async () => {
      const { managerId } = await insertChanged();
      return {
        send: (options) => setRole(target, managerId, { role: 'None' }, options),
        object: `sund-M${managerId}`,
        before: { permissions: ['Bank.Read'] },
        after: { permissions: [] },
      };
    },
    SetServiceProfileField: async () => {
      const { service: shown, profileRevision: expectedRevision } = (await getService(service, 'Gateway', actor)).json;
      const name = `Gateway ${expectedRevision}`;
      return {
        send: (options) => setServiceField(target, 'Gateway', 'Name', name, { ...options, expectedRevision }),
        object: 'sund-B0-M1',
        before: { Name: shown.name },
        after: { Name: name },
      };
    },
    SetServiceReadAccess: async () => {
      const { profileRevision: expectedRevision, readAccess } = (await getService(service, 'Gateway', actor)).json;
      const operations = [
        'GetInstallers',
        readAccess.operations.includes('GetServices') ? 'GetInstaller' : 'GetServices',
      ];
      return {
        send: (options) => setReadAccess(target, 'Gateway', operations, { ...options, expectedRevision }),
        object: 'sund-B0-M1',
        before: { operations: readAccess.operations, grantedByKid: readAccess.grantedByKid },
        after: { operations, grantedByKid: `sund-M${actor.managerId}` },
      };
    },
    GenerateServiceApiKey: async () => {
      const { profileRevision: expectedRevision } = (await getService(service, 'Mailer', actor)).json;
      const path = servicePath('Mailer', '/api-key');
      return {
        send: (options) => target.call('POST', path, { ...options, body: { expectedRevision } }),
        object: 'sund-B0-M3',
        before: null,
        after: { ApiKeyHash: 'changed' },
      };
    },
    SetMyManagerProfileField: async () => {
      const value = crypto.randomUUID();
      const readRevision = async (options: CallOptions): Promise<string> =>
        (await service.call('GET', `${me}/profile`, options)).json.revision;
      let known = { token: actor.token, revision: await readRevision({ token: actor.token }) };
      const send: SendWrite = async (options) => {
        // Another manager may send it, too.
        const { token, host } = options;
        if (token !== known.token)
          known = { token, revision: await readRevision({ token, ...(host === undefined ? {} : { host }) }) };
        const expectedRevision = known.revision;
        return target.call('POST', `${me}/profile/Name`, { ...options, body: { value, expectedRevision } });
      };
      return { send, object: `sund-M${actor.managerId}`, before: { name: 'changed' }, after: { name: 'changed' } };
    },
    SetCurrentManagerTheme: async () => {
      const { theme } = (await service.call('GET', me, actor)).json;
      const other = theme === 2 ? 1 : 2;
      return {
        send: (options) => target.call('PUT', `${me}/theme`, { ...options, body: { theme: other } }),
        object: `sund-M${actor.managerId}`,
        before: { theme },
        after: { theme: other },
      };
    },
    RequestMyManagerEmailVerification: async () => {
      const body = { email: 'new@example.org' };
      const send: SendWrite = (options) => target.call('POST', `${me}/email-verification`, { ...options, body });
      return { send, object: `sund-M${actor.managerId}`, before: null, after: { pendingEmail: 'changed' } };
    },
    ConfirmMyManagerEmail: async (bankId) => {
      const code = 'AAAA-BBBB-CCCC';
      const email = `new.${bankId}@example.org`;
      await service.write('sund', async (db) => {
        // Tests send it as another manager, too.
        for (const { manager_id: managerId } of await db.selectFrom('managers').select('manager_id').execute()) {
          const code_hash = hashCode(code, { tenant: 'sund', managerId, verificationId: bankId });
          const verification = { verification_id: bankId, email, code_hash, requested_at: now() };
          await insertVerification(db, { id: managerId }, verification);
        }
      });
      return {
        send: (options) => target.call('POST', `${me}/email-confirmation`, { ...options, body: { code } }),
        object: `sund-M${actor.managerId}`,
        before: { email: 'changed', emailVerified: 0 },
        after: { email: 'changed', emailVerified: 1 },
      };
    },
    ChangeMyManagerPassword: async () => {
      const newPassword = 'amber kettles hum 42';
      const { token, managerId } = await createToken(service, { passwordHash: plainPasswordHash(password) });
      const body = { currentPassword: password, newPassword, repeatPassword: newPassword };
      return {
        send: (options) => target.call('POST', `${me}/password`, { ...options, token, body }),
        object: `sund-M${managerId}`,
        before: null,
        after: { password: 'changed' },
      };
    },
    UpdateObjectAddress: addressWrite('UpdateObjectAddress', { address: '' }, { address: 'Elm Lane 1' }),
    SetObjectCoordinates: addressWrite(
      'SetObjectCoordinates',
      { latitude: null, longitude: null, coordinateProvenance: null },
      { latitude: 55_000_000, longitude: 12_000_000, coordinateProvenance: 30 },
    ),
    SetObjectCoordinateProvenance: addressWrite(
      'SetObjectCoordinateProvenance',
      { coordinateProvenance: null },
      { coordinateProvenance: 30 },
    ),
    LookupObjectCoordinates: addressWrite(
      'LookupObjectCoordinates',
      { latitude: null, longitude: null, coordinateProvenance: 0 },
      { latitude: 55_123_457, longitude: 12_765_432, coordinateProvenance: 6 },
      async (kid) => {
        await storeAddress(kid);
        // The coordinates that a lookup clears before its request do not count.
        await service.write('sund', (db) =>
          db.updateTable('units').set({ coordinate_provenance: 0 }).where('bank_id', '=', bankIdOf(kid)).execute(),
        );
      },
    ),
  };
}
