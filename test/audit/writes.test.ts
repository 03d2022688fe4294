// Every write of every operation appends one entry, in its own transaction; a request that writes nothing appends none.
// A new operation fails here until it is added to the list.

import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { before, test } from 'node:test';
import { createOperations } from '../../src/app.ts';
import { insertVerification } from '../../src/features/profile/queries/email-verifications.ts';
import { hashCode } from '../../src/features/profile/rules/verification-code.ts';
import { lockAndAppendPostings } from '../../src/features/account/queries/ledger.ts';
import { postingDraft } from '../support/account-reads.ts';
import { heldLineKid, insertHeldLines, resolveHeldLine } from '../support/held-lines.ts';
import { addressWrites, prepareAddressWrite } from '../support/address-writes.ts';
import { assertSoundAudit, recordAudit } from '../support/audit.ts';
import { createBookableBank, executeCommand, insertBooking } from '../support/bookings.ts';
import type { CallOptions, HttpReply } from '../support/call.ts';
import {
  computerKid,
  createComputer,
  enrol,
  insertTestComputer,
  renewCode,
  renewKey,
  revokeComputer,
  unitKidsOf,
} from '../support/computers.ts';
import { createToken, insertTestManager } from '../support/factories.ts';
import { grantBank } from '../support/granted-banks.ts';
import { isReplay } from '../support/idempotent-operations.ts';
import { startInstance, type TestInstance } from '../support/instances.ts';
import { plainPasswordHash, plainPasswords } from '../support/password-hashing.ts';
import { applyPlan, importPath, planFile, sendFile } from '../support/imports.ts';
import { insertTestInstaller, installerKid, setInstallerIcon } from '../support/installers.ts';
import { setPermission, setRole } from '../support/manager-calls.ts';
import { createUser, executeUserCommand } from '../support/resident-calls.ts';
import { reverseEntry } from '../support/reversal.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { insertFailedSync, retryDeviceSync } from '../support/device-syncs.ts';
import { getService, servicePath, setReadAccess, setServiceField } from '../support/services.ts';
import { testNow } from '../support/times.ts';
import { callSetUnitSetting, unitIds, unitKid, unitPath } from '../support/unit-settings.ts';
import { createGeocodingProvider } from '../addresses/support/geocoding-provider.ts';

type Send = (options: CallOptions & { readonly token: string }) => Promise<HttpReply>;

/** A write that succeeds, and what its entry says. */
type Write = {
  readonly send: Send;
  /** The bank; 0 for an object without one. */
  readonly chain?: number;
  readonly object: string;
  readonly before: object | null;
  readonly after: object | null;
  /** The suite’s manager unless told otherwise. */
  readonly actor?: { readonly kind: 'manager' | 'computer'; readonly id: number };
};

const provider = createGeocodingProvider();

serviceSuite({ now: testNow, geocoder: provider.geocoder }, (suite) => {
  const { service, manager, clock, nextBankId, onStop } = suite;
  const password = 'plain and long enough';
  /** The same application with a cheap password hash. */
  let quick: TestInstance;
  before(async () => {
    await provider.start();
    onStop(() => provider.stop());
    quick = await startInstance(service, { passwordHasher: plainPasswords });
    onStop(quick.stop);
  });

  const insertChanged = () => service.write('sund', (db) => insertTestManager(db, { permissions: ['Bank.Read'] }));
  const importedFile = 'key;name\r\nt1;Anna Demo\r\n';
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
  ): Write => ({
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
  const newManager = (): Promise<{ token: string; managerId: number }> => createToken(service);

  const addressWrite =
    (operationId: string, oldValues: object, newValues: object, prepare?: (kid: string) => Promise<unknown>) =>
    async (bankId: number): Promise<Write> => {
      const object = unitKid(unitIds(bankId));
      await prepare?.(object);
      return {
        send: await prepareAddressWrite(service, operationId, object, manager),
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
        .where('bank_id', '=', Number(/B(\d+)/.exec(kid)?.[1]))
        .execute(),
    );

  const insertComputer = (bankId: number) =>
    service.write('sund', (db) => insertTestComputer(db, { bankId, now: testNow }));

  const me = '/api/v1/session/me';
  /** By operation: prepares a write in its own bank. */
  const writes: Readonly<Record<string, (bankId: number) => Promise<Write>>> = {
    LoginManager: async () => {
      const userName = crypto.randomUUID();
      const { managerId } = await service.write('sund', (db) =>
        insertTestManager(db, { userName, passwordHash: plainPasswordHash(password) }),
      );
      return {
        send: ({ token: _token, ...options }) =>
          quick.call('POST', '/api/v1/session/login', { ...options, body: { userName, password } }),
        object: `sund-M${managerId}`,
        before: null,
        after: null,
      };
    },
    LogoutManager: async () => {
      const { token, managerId } = await newManager();
      const send: Send = (options) => service.call('POST', '/api/v1/session/logout', { ...options, token });
      return { send, object: `sund-M${managerId}`, before: null, after: null };
    },
    SetUnitSetting: async (bankId) => ({
      send: (options) => callSetUnitSetting(service, unitIds(bankId), 'MaxSpinSpeed', 1200, options),
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
        send: (options) => retryDeviceSync(service, syncId, { ...options, bankId }),
        chain: bankId,
        object: `sund-B${bankId}`,
        before: { syncId, state: 'failed' },
        after: { syncId: syncId + 1, state: 'queued' },
      };
    },
    ReverseBankAccountEntry: async (bankId) => {
      const draft = postingDraft(testNow, { internalTag: 1 });
      const posting = await service.write('sund', (db) => lockAndAppendPostings(db, grantBank(bankId), [draft]));
      return {
        send: (options) => reverseEntry(service, posting, { ...options, bankId }),
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
        send: (options) => executeCommand(service, event, 'Cancel', { ...options, bankId }),
        chain: bankId,
        object: `sund-B${bankId}-E${event}`,
        before: { state: 'Booked' },
        after: { command: 'Cancel', eventKid: `sund-B${bankId}-E${event + 1}`, transactionKid: null },
      };
    },
    CreateBankUser: async (bankId) => ({
      send: (options) => createUser(service, { language: 'da' }, { ...options, bankId }),
      chain: bankId,
      object: `sund-B${bankId}-R1004`,
      before: null,
      after: {
        name: 'changed',
        email: 'changed',
        phone: 'changed',
        apartment: 'changed',
        language: 'da',
        locationKid: null,
      },
    }),
    ExecuteBankUserCommand: async (bankId) => ({
      send: (options) => executeUserCommand(service, 1001, { command: 'Disable' }, { ...options, bankId }),
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
        send: (options) => resolveHeldLine(service, object, options),
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
      send: (options) => createComputer(service, { ...options, bankId }),
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
        send: (options) => renewCode(service, object, options),
        chain: bankId,
        object,
        before: null,
        after: { enrolmentCode: 'changed', enrolmentEnvironment: 'production' },
      };
    },
    RevokeComputer: async (bankId) => {
      const { kid: object } = await insertComputer(bankId);
      return {
        send: (options) => revokeComputer(service, object, options),
        chain: bankId,
        object,
        before: { revoked: false },
        after: { revoked: true },
      };
    },
    EnrolComputer: async (bankId) => {
      const { kid: object, code } = await insertComputer(bankId);
      return {
        send: ({ token: _token, ...options }) => enrol(service, code, options),
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
        send: (options) => renewKey(service, key, { ...options, token: key }),
        chain: bankId,
        object,
        before: null,
        after: { key: 'changed' },
        actor: { kind: 'computer', id: 1 },
      };
    },
    CreateImport: async (bankId) => ({
      send: (options) => sendFile(service, importedFile, { ...options, kind: 'residents', bankId }),
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
      const planned = await planFile(service, importedFile, { ...manager, kind: 'residents', bankId });
      // The row is stale, so that nothing is written after the answer.
      const other = await planFile(service, importedFile, { ...manager, kind: 'residents', bankId });
      await applyPlan(service, other, manager);
      return createImportWrite(bankId, planned, 'apply', 'applying');
    },
    UndoImport: async (bankId) => {
      const planned = await planFile(service, importedFile, { ...manager, kind: 'residents', bankId });
      const applied = await applyPlan(service, planned, manager);
      // The resident has been changed since, and is left as it is.
      await service.write('sund', (db) =>
        db.updateTable('residents').set({ revision: 99 }).where('bank_id', '=', bankId).execute(),
      );
      return createImportWrite(bankId, applied, 'undo', 'undoing');
    },
    CancelImport: async (bankId) =>
      createImportWrite(
        bankId,
        await planFile(service, importedFile, { ...manager, kind: 'residents', bankId }),
        'cancel',
        'cancelled',
      ),
    SetImportProfile: async (bankId) => {
      const name = `profile-${bankId}`;
      const columns = [{ field: 'key', from: 'Key' }];
      const document = { name, kind: 'residents', format: 'csv', header: true, columns };
      return {
        send: (options) => service.call('PUT', `/api/v1/import-profiles/${name}`, { ...options, body: { document } }),
        object: 'sund',
        before: null,
        after: { importProfile: name, kind: 'residents', version: 1 },
      };
    },
    SetInstallerIcon: async () => {
      const installerId = nextBankId();
      await service.write('sund', (db) => insertTestInstaller(db, { installerId }));
      return {
        send: (options) => setInstallerIcon(service, installerId, 'person_star', options),
        object: installerKid(installerId),
        before: { icon: 'person' },
        after: { icon: 'person_star' },
      };
    },
    SetManagerPermission: async () => {
      const { managerId } = await insertChanged();
      return {
        send: (options) => setPermission(service, managerId, { permission: 'Unit.Read', granted: true }, options),
        object: `sund-M${managerId}`,
        before: { permissions: ['Bank.Read'] },
        after: { permissions: ['Bank.Read', 'Unit.Read'] },
      };
    },
    SetManagerPermissionRole: async () => {
      const { managerId } = await insertChanged();
      return {
        send: (options) => setRole(service, managerId, { role: 'None' }, options),
        object: `sund-M${managerId}`,
        before: { permissions: ['Bank.Read'] },
        after: { permissions: [] },
      };
    },
    SetServiceProfileField: async () => {
      const { service: shown, profileRevision: expectedRevision } = (await getService(service, 'Gateway', manager))
        .json;
      const name = `Gateway ${expectedRevision}`;
      return {
        send: (options) => setServiceField(service, 'Gateway', 'Name', name, { ...options, expectedRevision }),
        object: 'sund-B0-M1',
        before: { Name: shown.name },
        after: { Name: name },
      };
    },
    SetServiceReadAccess: async () => {
      const { profileRevision: expectedRevision, readAccess } = (await getService(service, 'Gateway', manager)).json;
      const operations = [
        'GetInstallers',
        readAccess.operations.includes('GetServices') ? 'GetInstaller' : 'GetServices',
      ];
      return {
        send: (options) => setReadAccess(service, 'Gateway', operations, { ...options, expectedRevision }),
        object: 'sund-B0-M1',
        before: { operations: readAccess.operations, grantedByKid: readAccess.grantedByKid },
        after: { operations, grantedByKid: `sund-M${manager.managerId}` },
      };
    },
    GenerateServiceApiKey: async () => {
      const { profileRevision: expectedRevision } = (await getService(service, 'Mailer', manager)).json;
      const path = servicePath('Mailer', '/api-key');
      return {
        send: (options) => quick.call('POST', path, { ...options, body: { expectedRevision } }),
        object: 'sund-B0-M3',
        before: null,
        after: { ApiKeyHash: 'changed' },
      };
    },
    SetMyManagerProfileField: async () => {
      const value = crypto.randomUUID();
      let expectedRevision: string | undefined;
      const send: Send = async (options) => {
        expectedRevision ??= (await service.call('GET', `${me}/profile`, options)).json.revision;
        return service.call('POST', `${me}/profile/Name`, { ...options, body: { value, expectedRevision } });
      };
      return { send, object: `sund-M${manager.managerId}`, before: { name: 'changed' }, after: { name: 'changed' } };
    },
    SetCurrentManagerTheme: async () => {
      const { theme } = (await service.call('GET', me, manager)).json;
      const other = theme === 2 ? 1 : 2;
      return {
        send: (options) => service.call('PUT', `${me}/theme`, { ...options, body: { theme: other } }),
        object: `sund-M${manager.managerId}`,
        before: { theme },
        after: { theme: other },
      };
    },
    RequestMyManagerEmailVerification: async () => {
      const body = { email: 'new@example.org' };
      const send: Send = (options) => service.call('POST', `${me}/email-verification`, { ...options, body });
      return { send, object: `sund-M${manager.managerId}`, before: null, after: { pendingEmail: 'changed' } };
    },
    ConfirmMyManagerEmail: async (bankId) => {
      const code = 'AAAA-BBBB-CCCC';
      const email = `new.${bankId}@example.org`;
      await service.write('sund', async (db) => {
        for (const { manager_id: managerId } of await db.selectFrom('managers').select('manager_id').execute()) {
          const code_hash = hashCode(code, { tenant: 'sund', managerId, verificationId: bankId });
          const verification = { verification_id: bankId, email, code_hash, requested_at: testNow };
          await insertVerification(db, { id: managerId }, verification);
        }
      });
      return {
        send: (options) => service.call('POST', `${me}/email-confirmation`, { ...options, body: { code } }),
        object: `sund-M${manager.managerId}`,
        before: { email: 'changed', emailVerified: 0 },
        after: { email: 'changed', emailVerified: 1 },
      };
    },
    ChangeMyManagerPassword: async () => {
      const newPassword = 'amber kettles hum 42';
      const { token, managerId } = await createToken(service, { passwordHash: plainPasswordHash(password) });
      const body = { currentPassword: password, newPassword, repeatPassword: newPassword };
      return {
        send: (options) => quick.call('POST', `${me}/password`, { ...options, token, body }),
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
        await service.write('sund', (db) => db.updateTable('units').set({ coordinate_provenance: 0 }).execute());
      },
    ),
  };

  /** A computer asks, and nothing changes; and what computers send is in the streams. */
  const unrecorded = ['AuthoriseUse', 'SendStreamLines', 'TryImportProfile'];

  test('every operation that is not a GET is among those tried here', () => {
    const { operations } = createOperations(service.dependencies);
    const ids = operations.filter(({ method, id }) => method !== 'GET' && !unrecorded.includes(id)).map(({ id }) => id);
    assert.deepEqual(Object.keys(writes).toSorted(), ids.toSorted());
    assert.ok(Object.keys(addressWrites).every((id) => id in writes));
  });

  const prepare = async (operationId: string): Promise<Write> => {
    const bankId = nextBankId();
    await createBookableBank(service, { bankId });
    return writes[operationId]!(bankId);
  };

  for (const operationId of Object.keys(writes))
    test(`${operationId} appends one entry: who, from where, by which request, what, and how it changed`, async () => {
      const { send, chain = 0, object, actor, ...change } = await prepare(operationId);
      const requestId = crypto.randomUUID();
      const { result, entries } = await recordAudit(service, () =>
        send({ token: manager.token, headers: { 'x-request-id': requestId } }),
      );
      assert.ok(result.status >= 200 && result.status < 300, result.text);
      assert.equal(entries.length, 1);
      const [{ sequence: _sequence, link: _link, ...entry } = assert.fail()] = entries;
      const { old_values, new_values, ...rest } = entry;
      const isOfOther = ['LoginManager', 'LogoutManager', 'ChangeMyManagerPassword'].includes(operationId);
      assert.deepEqual(rest, {
        chain,
        at: testNow,
        actor_kind: actor?.kind ?? 'manager',
        actor_id: actor?.id ?? (isOfOther ? Number(object.split('-M')[1]) : manager.managerId),
        address: '127.0.0.1',
        operation: operationId,
        object,
        request_id: requestId,
        environment: 'production',
      });
      assert.deepEqual(
        [old_values, new_values].map((text) => (text === null ? null : JSON.parse(text))),
        [change.before, change.after],
      );
      await assertSoundAudit(service);
    });

  for (const operationId of Object.keys(writes))
    test(`${operationId} is 503 clock-behind and stores nothing while the clock is set back`, async () => {
      const { send } = await prepare(operationId);
      assert.equal((await (await prepare('SetUnitSetting')).send(manager)).status, 200);
      clock.now = testNow - 3000;
      const { result: refused, entries } = await recordAudit(service, () => send(manager));
      assert.deepEqual([refused.status, refused.json.code, entries], [503, 'clock-behind', []], refused.text);
      assert.equal(refused.headers['retry-after'], '3');
      clock.now = testNow - 1000;
      const { result, entries: recorded } = await recordAudit(service, () => send(manager));
      assert.ok(result.status >= 200 && result.status < 300, result.text);
      // Replicas’ clocks can differ a little: the entry is not listed before those that are older.
      assert.deepEqual(
        recorded.map(({ at }) => at),
        [testNow],
      );
    });

  test('a repeated request appends no second entry; beta is told from production', async () => {
    const { operations } = createOperations(service.dependencies);
    const keyed = operations.filter(({ acceptsIdempotencyKey }) => acceptsIdempotencyKey === true);
    assert.ok(keyed.length > 5);
    const host = 'beta.api.sund.localhost';
    const { token } = await createToken(service, { environment: 'beta' });
    for (const { id } of keyed) {
      const { send } = await prepare(id);
      const options = { token, host, headers: { 'idempotency-key': crypto.randomUUID() } };
      const { entries } = await recordAudit(service, async () => {
        for (const isRepeated of [false, true]) assert.equal(isReplay(await send(options)), isRepeated, id);
      });
      assert.deepEqual(
        entries.map(({ operation, environment }) => [operation, environment]),
        [[id, 'beta']],
      );
    }
  });

  test('requests that change nothing append nothing: dry runs, unchanged values, refusals, failed logins', async () => {
    const bankId = nextBankId();
    await createBookableBank(service, { bankId });
    const draft = postingDraft(testNow, { internalTag: 1 });
    const posting = await service.write('sund', (db) => lockAndAppendPostings(db, grantBank(bankId), [draft]));
    const event = await insertBooking(service, {}, bankId);
    const options = { ...manager, bankId };
    const spinSpeed = (value: unknown, expectedRevision: string): Promise<HttpReply> =>
      callSetUnitSetting(service, unitIds(bankId), 'MaxSpinSpeed', value, { ...manager, expectedRevision });
    const sends: readonly (readonly [status: number, send: () => Promise<HttpReply>])[] = [
      [200, () => reverseEntry(service, posting, { ...options, query: '?dryRun=true' })],
      [200, () => spinSpeed(1400, '0')],
      [409, () => spinSpeed(1200, '99')],
      [422, () => executeUserCommand(service, 1001, { command: 'Enable' }, options)],
      [200, () => executeUserCommand(service, 1001, { command: 'SetName', value: 'Demo Resident 1001' }, options)],
      [422, () => executeCommand(service, event, 'Restore', options)],
      [409, () => executeUserCommand(service, 1001, { command: 'Disable', expectedRevision: '9' }, options)],
      [401, () => quick.call('POST', '/api/v1/session/login', { body: { userName: 'nobody', password } })],
    ];
    for (const [status, send] of sends) {
      const { result, entries } = await recordAudit(service, send);
      assert.equal(result.status, status, result.text);
      assert.deepEqual(entries, [], result.text);
    }
  });

  test('each transaction of a write with a lookup has its entry', async () => {
    const bankId = nextBankId();
    await createBookableBank(service, { bankId });
    const address = `/api/v1/addresses/${unitKid(unitIds(bankId))}`;
    const { revision: expectedRevision } = (await service.call('GET', address, manager)).json;
    const body = { address: 'Elm Lane 1', zip: '2100', expectedRevision };
    const { entries } = await recordAudit(service, () => service.call('PUT', address, { ...manager, body }));
    assert.deepEqual(
      entries.map(({ new_values }) => Object.keys(JSON.parse(String(new_values)))),
      [
        ['address', 'zip', 'coordinateProvenance'],
        ['zip', 'latitude', 'longitude', 'coordinateProvenance'],
      ],
    );
  });

  test('the log holds no personal data of a resident after any operation', async () => {
    const bankId = nextBankId();
    await createBookableBank(service, { bankId });
    const secrets = [
      'Ada Secret',
      'ada.secret@example.org',
      '+4520123456',
      'Attic 9b',
      '04AABBCC',
      '4711',
      'Secret Lane',
    ];
    const [name = '', email = '', phone = '', apartment = '', key = '', pin = '', lane = ''] = secrets;
    const options = { ...manager, bankId };
    const { entries } = await recordAudit(service, async () => {
      const created = await createUser(service, { name, email: `x${email}`, phone, apartment }, options);
      assert.equal(created.status, 201, created.text);
      const values = { SetName: name, SetEmail: email, SetPhone: phone, SetApartment: apartment };
      const commands = {
        ...values,
        SetPin: pin,
        AddKey: key,
        RemoveKey: key,
        RenewActivation: undefined,
        Delete: undefined,
      };
      let revision = 1;
      for (const [command, value] of Object.entries(commands)) {
        const done = await executeUserCommand(
          service,
          1001,
          { command, expectedRevision: String(revision++), ...(value === undefined ? {} : { value }) },
          options,
        );
        assert.equal(done.status, 200, `${command}: ${done.text}`);
        if (command !== 'SetApartment') continue;
        const kid = `sund-B${bankId}-R1001`;
        const { revision: expectedRevision } = (await service.call('GET', `/api/v1/addresses/${kid}`, manager)).json;
        const body = { address: `${lane} 1`, zip: '2100', expectedRevision };
        assert.equal((await service.call('PUT', `/api/v1/addresses/${kid}`, { ...manager, body })).status, 200);
      }
    });
    assert.ok(entries.length >= 11, String(entries.length));
    // Hashes and ids are random, and may have any digits.
    const stored = JSON.stringify(entries.map(({ link: _link, request_id: _id, ...entry }) => entry));
    for (const secret of [...secrets, '55123457']) assert.ok(!stored.includes(secret), secret);
  });
});
