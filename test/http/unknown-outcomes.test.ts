// Every kind of write whose COMMIT has an unknown outcome: the caller gets a 503, the service does not retry, and a
// retry with the same Idempotency-Key gets the outcome. On MariaDB a proxy cuts the connection, on SQLite the COMMIT
// itself fails for an unexpected reason.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createOperations } from '../../src/app.ts';
import type { Databases } from '../../src/database/databases.ts';
import { lockAndAppendPostings } from '../../src/features/account/queries/ledger.ts';
import { postingDraft } from '../support/account-reads.ts';
import { createBookableBank, executeCommand, insertBooking } from '../support/bookings.ts';
import type { CallOptions, HttpReply } from '../support/call.ts';
import { heldLineKid, insertHeldLines, resolveHeldLine } from '../support/held-lines.ts';
import {
  createComputer,
  enrol,
  insertTestComputer,
  renewCode,
  renewKey,
  revokeComputer,
  type InsertedComputer,
} from '../support/computers.ts';
import { addressWrites, prepareAddressWrite } from '../support/address-writes.ts';
import { insertFailedSync, retryDeviceSync } from '../support/device-syncs.ts';
import { createToken, insertTestManager } from '../support/factories.ts';
import { grantBank } from '../support/granted-banks.ts';
import { isReplay } from '../support/idempotent-operations.ts';
import { insertTestInstaller, readInstallerRecord, setInstallerIcon } from '../support/installers.ts';
import { applyPlan, importPath, planFile, sendFile, waitForImport } from '../support/imports.ts';
import { startInstance, type TestInstance } from '../support/instances.ts';
import {
  changePassword,
  confirmCode,
  requestCode,
  setField,
  setTheme,
  takeCode,
} from '../profile/support/own-profile.ts';
import { setPermission, setRole } from '../support/manager-calls.ts';
import { createUser, executeUserCommand } from '../support/resident-calls.ts';
import { reverseEntry } from '../support/reversal.ts';
import { generateApiKey, readServiceRecord, setReadAccess, setServiceField } from '../support/services.ts';
import { createStorage, onBothEngines, startService, type TestService, type TestStorage } from '../support/service.ts';
import { connectDirectly, storageAddressOf, type DirectConnection } from '../support/test-database.ts';
import { hourMs, testNow } from '../support/times.ts';
import { callSetUnitSetting, unitIds, unitPath } from '../support/unit-settings.ts';
import { startProxy, type MySqlProxy, type ProxyAction } from '../database/support/mysql-proxy.ts';

/** A write that is ready to be sent. */
type PreparedWrite = {
  send(): Promise<HttpReply>;
  /** How often it took effect. */
  countEffects(): Promise<number>;
  /** Whether a retry gets the answer, because it has a key. */
  readonly hasKey?: true;
  /** The group's own code. */
  readonly code?: 'services-unavailable';
};

type Keyed = { readonly token: string; readonly headers: Readonly<Record<string, string>> };

/** A way in which a COMMIT ends with an unknown outcome. */
type Accident = { readonly name: string; readonly effects: 0 | 1; prepare(): Promise<void>; undo(): Promise<void> };

/** The rules that a write proves. */
const idsOf = (operationId: string): string =>
  operationId.includes('Service') ? '[general.27, services.29]' : '[general.27]';

onBothEngines((engine) => {
  let storage: TestStorage;
  let service: TestService;
  let instance: TestInstance;
  let proxy: MySqlProxy | undefined;
  let outsider: DirectConnection;
  /** How often the work of a write began. */
  let runs = 0;
  let lastBankId = 1000;

  before(async () => {
    storage = await createStorage(engine);
    service = await startService(engine, { storage: await behindProxy(), clock: () => testNow + Date.UTC(2000, 0, 1) });
    instance = await startInstance(service, { databases: countRuns(service.dependencies.databases) });
    outsider = await connectDirectly(storageAddressOf(storage));
    if (engine === 'sqlite') await outsider.run('create table parents (id integer primary key)');
    const column = 'parent integer references parents deferrable initially deferred';
    if (engine === 'sqlite') await outsider.run(`create table children (${column})`);
  });
  after(async () => {
    await outsider.close();
    await instance.stop();
    await service.stop();
    await proxy?.close();
    await storage.release();
  });

  async function behindProxy(): Promise<TestStorage> {
    const address = storageAddressOf(storage);
    if (address.engine === 'sqlite') return storage;
    proxy = await startProxy(address.nodes[0]);
    const url = new URL(storage.storageUrl);
    url.port = String(proxy.port);
    return { storageUrl: url.href, release: async () => {} };
  }

  const countRuns = (databases: Databases): Databases => ({
    ...databases,
    forTenant: (tenant) => {
      const database = databases.forTenant(tenant);
      return {
        ...database,
        write: (options, work) =>
          database.write(options, (db) => {
            runs += 1;
            return work(db);
          }),
      };
    },
  });

  const cut = (name: string, action: ProxyAction, effects: 0 | 1): Accident => ({
    name,
    effects,
    prepare: async () => {
      let hasWritten = false;
      proxy!.decide = (statement) => {
        if (/^(?:insert|update|delete) /.test(statement)) hasWritten = true;
        return hasWritten && statement === 'commit' ? action : 'pass';
      };
    },
    undo: async () => {
      proxy!.decide = () => 'pass';
    },
  });

  const writtenTables = [
    'postings',
    'unit_setting_history',
    'booking_events',
    'resident_history',
    'device_sync',
    'held_lines',
    'unit_commands',
    'imports',
  ] as const;
  const writtenWithoutBank = ['sessions', 'service_history', 'audit_entries'] as const;
  const violation: Accident = {
    name: 'fails for a reason that nobody foresaw',
    effects: 0,
    prepare: async () => {
      const changes = [...writtenTables, ...writtenWithoutBank].map((table) => ['insert', table] as const);
      const others = [
        ['delete', 'sessions'] as const,
        ['delete', 'manager_permissions'] as const,
        ['update', 'managers'] as const,
      ];
      for (const [change, table] of [...changes, ...others])
        await outsider.run(
          `create trigger ${change}_${table} after ${change} on ${table} begin insert into children values (1); end`,
        );
    },
    undo: async () => {
      const triggers = await outsider.run(`select name from sqlite_schema where type = 'trigger'`);
      for (const { name } of triggers) await outsider.run(`drop trigger ${String(name)}`);
    },
  };

  const accidents: readonly Accident[] =
    engine === 'sqlite'
      ? [violation]
      : [
          cut('loses its connection after the server had committed', 'cut-answer', 1),
          cut('loses its connection before the server saw it', 'cut-before', 0),
        ];

  const countSessions = async (managerId: number): Promise<number> => {
    const rows = await service.read('sund', (db) =>
      db.selectFrom('sessions').select('token_hash').where('manager_id', '=', managerId).execute(),
    );
    return rows.length;
  };
  async function createBank(): Promise<number> {
    lastBankId += 1;
    await createBookableBank(service, { bankId: lastBankId });
    return lastBankId;
  }
  const createKeyedOptions = async (bankId: number) => {
    const { token } = await createToken(service);
    return { token, bankId, headers: { 'idempotency-key': `key-${bankId}` } };
  };

  const kinds: Record<string, () => Promise<PreparedWrite>> = {
    LoginManager: async () => {
      const [userName, password] = [`user${(lastBankId += 1)}`, 'a long passphrase'];
      const passwordHash = await service.dependencies.passwordHasher.hash(password);
      const { managerId } = await service.write('sund', (db) => insertTestManager(db, { userName, passwordHash }));
      return {
        send: () => instance.call('POST', '/api/v1/session/login', { body: { userName, password } }),
        countEffects: () => countSessions(managerId),
      };
    },
    LogoutManager: async () => {
      const { token, managerId } = await createToken(service);
      return {
        send: () => instance.call('POST', '/api/v1/session/logout', { token }),
        countEffects: async () => 1 - (await countSessions(managerId)),
      };
    },
    ReverseBankAccountEntry: async () => {
      const bankId = await createBank();
      const options = await createKeyedOptions(bankId);
      const draft = postingDraft(testNow - hourMs, { internalTag: 1 });
      const id = await service.write('sund', (db) => lockAndAppendPostings(db, grantBank(bankId), [draft]));
      return {
        hasKey: true,
        send: () => reverseEntry(instance, id, options),
        countEffects: () => countRows('postings', bankId, 1),
      };
    },
    SetUnitSetting: async () => {
      const bankId = await createBank();
      const options = await createKeyedOptions(bankId);
      const settings = await countRows('unit_setting_history', bankId, 0);
      return {
        hasKey: true,
        send: () => callSetUnitSetting(instance, unitIds(bankId), 'Note', 'A note', options),
        countEffects: () => countRows('unit_setting_history', bankId, settings),
      };
    },
    SendUnitCommand: async () => {
      const bankId = await createBank();
      const options = await createKeyedOptions(bankId);
      return {
        hasKey: true,
        send: () =>
          instance.call('POST', unitPath(unitIds(bankId), '/commands'), { body: { name: 'Restart' }, ...options }),
        countEffects: () => countRows('unit_commands', bankId, 0),
      };
    },
    RetryDeviceSync: async () => {
      const bankId = await createBank();
      const options = await createKeyedOptions(bankId);
      const syncId = await service.write('sund', (db) => insertFailedSync(db, bankId));
      const queued = await countRows('device_sync', bankId, 0);
      return {
        hasKey: true,
        send: () => retryDeviceSync(instance, syncId, options),
        countEffects: () => countRows('device_sync', bankId, queued),
      };
    },
    ExecuteBankBookingCommand: async () => {
      const bankId = await createBank();
      const options = await createKeyedOptions(bankId);
      const event = await insertBooking(service, {}, bankId);
      return {
        hasKey: true,
        send: () => executeCommand(instance, event, 'Cancel', options),
        countEffects: () => countRows('booking_events', bankId, 1),
      };
    },
    CreateBankUser: async () => {
      const bankId = await createBank();
      const options = await createKeyedOptions(bankId);
      return {
        hasKey: true,
        send: () => createUser(instance, {}, options),
        countEffects: () => countRows('resident_history', bankId, 0),
      };
    },
    ExecuteBankUserCommand: async () => {
      const bankId = await createBank();
      const options = await createKeyedOptions(bankId);
      return {
        hasKey: true,
        send: () => executeUserCommand(instance, 1001, { command: 'Disable' }, options),
        countEffects: () => countRows('resident_history', bankId, 0),
      };
    },
  };

  const serviceWrites = {
    SetServiceProfileField: (revision, options) =>
      setServiceField(instance, 'Mailer', 'Name', `Mail ${revision}`, options),
    SetServiceReadAccess: (revision, options) =>
      setReadAccess(instance, 'Mailer', [revision % 2 === 0 ? 'GetInstallers' : 'GetServices'], options),
    GenerateServiceApiKey: (_revision, options) => generateApiKey(instance, 'Mailer', options),
  } satisfies Record<
    string,
    (revision: number, options: { token: string; expectedRevision: string }) => Promise<HttpReply>
  >;
  for (const [operationId, send] of Object.entries(serviceWrites))
    kinds[operationId] = async () => {
      const { token } = await createToken(service);
      const { row, history } = await readServiceRecord(service, 'Mailer');
      const options = { token, expectedRevision: String(row.revision) };
      return {
        code: 'services-unavailable',
        send: () => send(row.revision, options),
        countEffects: async () => (await readServiceRecord(service, 'Mailer')).history.length - history.length,
      };
    };
  const ownProfileWrites: Record<string, (self: Keyed, code: string) => Promise<HttpReply>> = {
    SetMyManagerProfileField: (self) => setField(instance, 'Name', { value: 'Demo Person' }, self),
    SetCurrentManagerTheme: (self) => setTheme(instance, 2, self),
    ConfirmMyManagerEmail: (self, code) => confirmCode(instance, code, self),
  };
  for (const [operationId, send] of Object.entries(ownProfileWrites))
    kinds[operationId] = async () => {
      const { token, managerId } = await createToken(service);
      await requestCode(service, 'new@example.org', { token });
      const code = await takeCode(service);
      const self = { token, headers: { 'idempotency-key': 'own' } };
      return {
        hasKey: true,
        send: () => send(self, code),
        countEffects: async () => (await readManager(managerId)).profile_revision - 1,
      };
    };
  kinds['ChangeMyManagerPassword'] = async () => {
    const [currentPassword, newPassword] = ['violet teapots sing', 'amber kettles hum 42'];
    const passwordHash = await service.dependencies.passwordHasher.hash(currentPassword);
    const { token, managerId } = await createToken(service, { passwordHash });
    return {
      send: () => changePassword(instance, { currentPassword, newPassword }, { token }),
      countEffects: async () => ((await readManager(managerId)).password_hash === passwordHash ? 0 : 1),
    };
  };
  const readManager = (managerId: number) =>
    service.read('sund', (db) =>
      db
        .selectFrom('managers')
        .select(['profile_revision', 'password_hash'])
        .where('manager_id', '=', managerId)
        .executeTakeFirstOrThrow(),
    );

  kinds['SetInstallerIcon'] = async () => {
    const installerId = (lastBankId += 1);
    const { token } = await createToken(service);
    await service.write('sund', (db) => insertTestInstaller(db, { installerId }));
    const options = { token, headers: { 'idempotency-key': `icon-${installerId}` } };
    return {
      hasKey: true,
      send: () => setInstallerIcon(instance, installerId, 'person_star', options),
      countEffects: async () => (await readInstallerRecord(service, installerId)).row.icon_revision - 1,
    };
  };

  const computerWrites: Record<string, (computer: InsertedComputer, token: string) => Promise<HttpReply>> = {
    CreateComputer: (_computer, token) =>
      createComputer(instance, { token, bankId: lastBankId, name: 'laundry-2', units: ['1-2'] }),
    RenewComputerCode: ({ kid }, token) => renewCode(instance, kid, { token }),
    EnrolComputer: ({ code }) => enrol(instance, code),
  };
  for (const [operationId, send] of Object.entries(computerWrites))
    kinds[operationId] = async () => {
      const bankId = await createBank();
      const { token } = await createToken(service);
      const computer = await insertComputer(bankId);
      return { send: () => send(computer, token), countEffects: () => countEntries(bankId) };
    };
  kinds['RevokeComputer'] = async () => {
    const bankId = await createBank();
    const { kid } = await insertComputer(bankId);
    const options = await createKeyedOptions(bankId);
    return {
      hasKey: true,
      send: () => revokeComputer(instance, kid, options),
      countEffects: () => countEntries(bankId),
    };
  };
  kinds['RenewComputerKey'] = async () => {
    const bankId = await createBank();
    const { code } = await insertComputer(bankId);
    const { json } = await enrol(service, code);
    // Its first use is a write of its own.
    const { status, json: next } = await renewKey(service, json.key);
    assert.equal(status, 200);
    assert.equal((await renewKey(service, next.key)).status, 200);
    const earlier = await countEntries(bankId);
    return {
      send: () => renewKey(instance, next.key),
      countEffects: async () => (await countEntries(bankId)) - earlier,
    };
  };
  kinds['ResolveHeldLine'] = async () => {
    const bankId = await createBank();
    await insertComputer(bankId);
    await service.write('sund', (db) => insertHeldLines(db, { bankId }));
    const options = await createKeyedOptions(bankId);
    return {
      hasKey: true,
      send: () => resolveHeldLine(instance, heldLineKid(1, bankId), options),
      countEffects: () => countEntries(bankId),
    };
  };
  kinds['BeginStreamEpoch'] = async () => {
    const { bankId, key } = await enrolUsed();
    const earlier = await countEntries(bankId);
    return {
      send: () =>
        instance.call('POST', '/equipment/v1/streams/money/epoch', {
          token: key,
          body: { epoch: 'e2', reason: 'a new disk' },
        }),
      countEffects: async () => (await countEntries(bankId)) - earlier,
    };
  };
  kinds['SendStreamLines'] = async () => {
    const { bankId, key } = await enrolUsed();
    return {
      send: () =>
        instance.call('POST', '/equipment/v1/streams/money', {
          token: key,
          headers: { 'content-type': 'application/jsonl' },
          rawBody: '{"epoch":"e1","first":1,"sentAt":"2026-06-15T09:30:00Z"}\n{"n":1}\n',
        }),
      countEffects: async () =>
        (
          await service.read('sund', (db) =>
            db.selectFrom('held_lines').select('held_id').where('bank_id', '=', bankId).execute(),
          )
        ).length,
    };
  };
  /** A computer whose key was used: its first use is a write of its own. */
  const enrolUsed = async (): Promise<{ bankId: number; key: string }> => {
    const bankId = await createBank();
    const { code } = await insertComputer(bankId);
    const { key } = (await enrol(service, code)).json;
    assert.equal((await service.call('GET', '/equipment/v1/streams', { token: key })).status, 200);
    return { bankId, key };
  };
  /** Without an entry of the audit log. */
  const insertComputer = async (bankId: number): Promise<InsertedComputer> => {
    const computer = await service.write('sund', (db) => insertTestComputer(db, { bankId, now: testNow }));
    await service.write('sund', async (db) => {
      await db.deleteFrom('audit_entries').where('chain', '=', bankId).execute();
      await db.deleteFrom('audit_heads').where('chain', '=', bankId).execute();
    });
    return computer;
  };
  const countEntries = async (bankId: number): Promise<number> =>
    (
      await service.read('sund', (db) =>
        db.selectFrom('audit_entries').select('sequence').where('chain', '=', bankId).execute(),
      )
    ).length;

  const importedFile = 'key;name\r\nt1;Anna Demo\r\n';
  const planResident = (bankId: number, token: string) =>
    planFile(service, importedFile, { token, kind: 'residents', bankId });
  /** Of an import in the state that the write needs. */
  const prepareImportWrite = async (
    operationId: 'ApplyImport' | 'UndoImport' | 'CancelImport',
    prepareImport: (bankId: number, token: string) => Promise<HttpReply['json']>,
  ): Promise<PreparedWrite> => {
    const bankId = await createBank();
    const options = await createKeyedOptions(bankId);
    const { kid, revision } = await prepareImport(bankId, options.token);
    const action = operationId.replace('Import', '').toLowerCase();
    const body = action === 'cancel' ? undefined : { expectedRevision: revision };
    return {
      hasKey: true,
      send: async () => {
        const reply = await instance.call('POST', `${importPath(kid)}/${action}`, { ...options, body });
        // The rows are written after the answer; the next write is not to meet that.
        if (reply.status === 202) await waitForImport(service, kid, { token: options.token });
        return reply;
      },
      countEffects: () => countRequests(kid, operationId),
    };
  };
  /** Entries of the import itself: those of its rows have other objects. */
  const countRequests = async (importKid: string, operation: string): Promise<number> =>
    (
      await service.read('sund', (db) =>
        db
          .selectFrom('audit_entries')
          .select('new_values')
          .where('object', '=', importKid)
          .where('operation', '=', operation)
          .execute(),
      )
    ).length;
  // Its first transaction, without which there is nothing to plan. What is written of the plan later changes nothing else.
  kinds['CreateImport'] = async () => {
    const bankId = await createBank();
    const { token } = await createToken(service);
    return {
      send: () => sendFile(instance, importedFile, { token, kind: 'residents', bankId }),
      countEffects: () => countRows('imports', bankId, 0),
    };
  };
  kinds['ApplyImport'] = () => prepareImportWrite('ApplyImport', planResident);
  kinds['UndoImport'] = () =>
    prepareImportWrite('UndoImport', async (bankId, token) =>
      applyPlan(service, await planResident(bankId, token), { token }),
    );
  kinds['CancelImport'] = () => prepareImportWrite('CancelImport', planResident);
  kinds['SetImportProfile'] = async () => {
    const options = await createKeyedOptions((lastBankId += 1));
    const name = `profile-${lastBankId}`;
    const document = { name, kind: 'residents', format: 'csv', header: true, columns: [{ field: 'key', from: 'Key' }] };
    return {
      hasKey: true,
      send: () => instance.call('PUT', `/api/v1/import-profiles/${name}`, { ...options, body: { document } }),
      countEffects: async () =>
        (
          await service.read('sund', (db) =>
            db.selectFrom('import_profiles').select('version').where('name', '=', name).execute(),
          )
        ).length,
    };
  };

  for (const [operationId, change] of Object.entries({
    SetManagerPermission: (managerId: number, options: CallOptions) =>
      setPermission(instance, managerId, { permission: 'Bank.Read', granted: false }, options),
    SetManagerPermissionRole: (managerId: number, options: CallOptions) =>
      setRole(instance, managerId, { role: 'Reader' }, options),
  }))
    kinds[operationId] = async () => {
      const options = await createKeyedOptions((lastBankId += 1));
      const { managerId } = await service.write('sund', (db) => insertTestManager(db));
      return {
        hasKey: true,
        send: () => change(managerId, options),
        countEffects: async () => (await readRevision(managerId)) - 1,
      };
    };

  for (const operationId of Object.keys(addressWrites))
    kinds[operationId] = async () => {
      const bankId = await createBank();
      const options = await createKeyedOptions(bankId);
      const send = await prepareAddressWrite(instance, operationId, `sund-B${bankId}-L1-U1`, options);
      const queued = await countRows('device_sync', bankId, 0);
      return { hasKey: true, send: () => send(options), countEffects: () => countRows('device_sync', bankId, queued) };
    };

  const readRevision = (managerId: number): Promise<number> =>
    service.read('sund', async (db) => {
      const query = db.selectFrom('managers').select('revision').where('manager_id', '=', managerId);
      return (await query.executeTakeFirstOrThrow()).revision;
    });

  /** In addition to those from before. */
  async function countRows(
    table: (typeof writtenTables)[number],
    bankId: number,
    earlierRows: number,
  ): Promise<number> {
    const rows = await service.read('sund', (db) =>
      db.selectFrom(table).select('bank_id').where('bank_id', '=', bankId).execute(),
    );
    return rows.length - earlierRows;
  }

  test('[general.27] this suite covers every write of the service', () => {
    // AuthoriseUse only asks, and TryImportProfile shows what a file would be read as.
    const asking = ['AuthoriseUse', 'TryImportProfile'];
    const writes = createOperations(service.dependencies).operations.filter(
      ({ id, method }) => method !== 'GET' && !asking.includes(id),
    );
    // These have two transactions; the suites of addresses and profile test them.
    const tried = [...Object.keys(kinds), 'LookupObjectCoordinates', 'RequestMyManagerEmailVerification'];
    assert.deepEqual(writes.map(({ id }) => id).toSorted(), tried.toSorted());
  });

  test('[general.27] CreateImport whose last COMMIT has an unknown outcome is 503, and the plan is whole or failed', async () => {
    const bankId = await createBank();
    const { token } = await createToken(service);
    let hasRecorded = false;
    if (engine === 'sqlite')
      await outsider.run(
        'create trigger last after insert on audit_entries begin insert into children values (1); end',
      );
    else
      proxy!.decide = (statement) => {
        hasRecorded ||= statement.startsWith('insert into `audit_entries`');
        return hasRecorded && statement === 'commit' ? 'cut-answer' : 'pass';
      };
    const reply = await sendFile(instance, importedFile, { token, kind: 'residents', bankId });
    if (engine === 'sqlite') await outsider.run('drop trigger last');
    else proxy!.decide = () => 'pass';
    assert.deepEqual([reply.status, reply.json.code], [503, 'storage-outcome-unknown'], reply.text);
    const [row] = await service.read('sund', (db) =>
      db.selectFrom('imports').select(['state', 'creates']).where('bank_id', '=', bankId).execute(),
    );
    assert.deepEqual(row, { state: engine === 'sqlite' ? 'failed' : 'planned', creates: 1 });
  });

  for (const { name, effects, prepare, undo } of accidents)
    describe(`a COMMIT ${name}`, () => {
      test(`[general.27] a file whose entry in the audit log has a COMMIT that ${name} is 503, and may be asked for again`, async () => {
        const bankId = await createBank();
        const { token } = await createToken(service);
        const bank = `/api/v1/banks/sund-B${bankId}`;
        // The codes of the groups.
        const files = {
          'users/export.csv': 'storage-unavailable',
          'account/export.csv?Period=0': 'storage-timeout',
          'account/export.xls?Period=0': 'storage-timeout',
        };
        for (const [file, code] of Object.entries(files)) {
          const path = `${bank}/${file}`;
          const entries = await countEntries(bankId);
          await prepare();
          const reply = await instance.call('GET', path, { token });
          await undo();
          assert.deepEqual(
            [reply.status, reply.json.code, reply.headers['retry-after'] !== undefined],
            [503, code, true],
            path,
          );
          assert.equal((await countEntries(bankId)) - entries, effects, path);
          assert.equal((await instance.call('GET', path, { token })).status, 200, path);
        }
      });

      for (const [operationId, prepareWrite] of Object.entries(kinds))
        test(`${idsOf(operationId)} ${operationId} whose COMMIT ${name} is 503 and never run again`, async () => {
          const write = await prepareWrite();
          await prepare();
          runs = 0;
          const reply = await write.send();
          await undo();
          assert.deepEqual(
            [reply.status, reply.json.code, reply.headers['retry-after'], runs],
            [503, write.code ?? 'storage-outcome-unknown', undefined, 1],
          );
          assert.equal(await write.countEffects(), effects);
          if (write.hasKey === undefined) return;
          const again = await write.send();
          assert.deepEqual([again.status < 300, isReplay(again)], [true, effects === 1], again.text);
          assert.equal(await write.countEffects(), 1);
        });
    });
});
