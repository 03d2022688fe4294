// SetServiceReadAccess: what can be granted, by whom, and what is stored of it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOperations } from '../../src/app.ts';
import type { ServiceIdentity } from '../../src/features/services/rules/service-catalogue.ts';
import { permissions } from '../../src/permissions/matrix.ts';
import { isReplay } from '../support/idempotent-operations.ts';
import { countOutcomes, runInParallel } from '../support/replicas.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { getService, readServiceContent, readServiceRecord, servicePath, setReadAccess } from '../support/services.ts';
import { testNow } from '../support/times.ts';

/** All operations that a key may call. */
const grantableIds: readonly string[] = [
  'DownloadBankSettlement',
  'DownloadUnitDocumentCsv',
  'DownloadUnitDocumentXls',
  'ExportBankAccount',
  'ExportBankUsers',
  'ExportData',
  'GetBankAccount',
  'GetBankAccountRevision',
  'GetBankBooking',
  'GetBankBookings',
  'GetBankDocuments',
  'GetBankIcons',
  'GetBankLocations',
  'GetBankSettlementHtml',
  'GetBankSettlementPeriod',
  'GetBankSettlements',
  'GetBankUserWorkspace',
  'GetBankUsers',
  'GetComputer',
  'GetComputers',
  'GetDeviceSyncs',
  'GetHeldLines',
  'GetHostingMetrics',
  'GetImportProfile',
  'GetImportProfiles',
  'GetImportTemplate',
  'GetInstaller',
  'GetInstallers',
  'GetLocationBookingRules',
  'GetLocationIcons',
  'GetLocationOpeningHours',
  'GetLocationUnits',
  'GetManager',
  'GetManagers',
  'GetObjectAddress',
  'GetServices',
  'GetTenantStatus',
  'GetTenantStatusPage',
  'GetUnitCommands',
  'GetUnitDocumentHtml',
  'GetUnitDocumentSvg',
  'GetUnitDocumentTable',
  'GetUnitGroup',
  'GetUnitIcons',
  'GetUnitOverview',
  'GetUnitSettingHistory',
  'GetUserReceipts',
  'GetUserReceiptsHtml',
];

serviceSuite({ now: testNow, replicas: 2 }, ({ service, replicaFor, manager, issueToken }) => {
  const grant = (identity: ServiceIdentity, operations: readonly unknown[], expectedRevision = '1') =>
    setReadAccess(service, identity, operations, { ...manager, expectedRevision });
  const managerKid = (): string => `sund-M${manager.managerId}`;

  test('a grant replaces the previous one, and is answered with its granter and time', async () => {
    const none = { operations: [], grantedByKid: null, grantedAtUtc: null, lastUsedUtc: null };
    assert.deepEqual((await getService(service, 'Gateway', manager)).json.readAccess, none);
    const first = await grant('Gateway', ['GetServices', 'GetInstallers']);
    assert.equal(first.status, 200, first.text);
    assert.partialDeepStrictEqual(first.json, {
      profileRevision: '2',
      readAccess: {
        operations: ['GetInstallers', 'GetServices'],
        grantedByKid: managerKid(),
        grantedAtUtc: '2026-06-15T09:30:00.000Z',
        lastUsedUtc: null,
      },
    });
    assert.deepEqual((await getService(service, 'Gateway', manager)).json, first.json);
    assert.deepEqual((await grant('Gateway', ['GetInstaller'], '2')).json.readAccess.operations, ['GetInstaller']);
    const withdrawn = await grant('Gateway', [], '3');
    assert.deepEqual([withdrawn.json.profileRevision, withdrawn.json.readAccess], ['4', none]);
    const { history, audit } = await readServiceRecord(service, 'Gateway');
    assert.deepEqual(
      history.map(({ field, old_value, new_value }) => [field, old_value, new_value]),
      [
        ['ReadAccess', '0', '2'],
        ['ReadAccess', '2', '1'],
        ['ReadAccess', '1', '0'],
      ],
    );
    const granted = (operations: string[]) => ({ operations, grantedByKid: managerKid() });
    const nothing = { operations: [], grantedByKid: null };
    assert.deepEqual(
      audit.map(({ old_values, new_values }) => [JSON.parse(old_values ?? ''), JSON.parse(new_values ?? '')]),
      [
        [nothing, granted(['GetInstallers', 'GetServices'])],
        [granted(['GetInstallers', 'GetServices']), granted(['GetInstaller'])],
        [granted(['GetInstaller']), nothing],
      ],
    );
  });

  test('repeating a grant changes nothing; from another manager it changes the granter', async () => {
    await grant('Payments', ['GetServices', 'GetInstaller']);
    const stored = await readServiceContent(service, 'Payments');
    const again = await grant('Payments', ['GetInstaller', 'GetServices'], '2');
    assert.deepEqual([again.status, again.json.profileRevision], [200, '2']);
    assert.deepEqual(await readServiceContent(service, 'Payments'), stored);
    const token = await issueToken();
    const taken = await setReadAccess(service, 'Payments', ['GetInstaller', 'GetServices'], {
      token,
      expectedRevision: '2',
    });
    assert.equal(taken.json.profileRevision, '3');
    assert.notEqual(taken.json.readAccess.grantedByKid, managerKid());
  });

  test('only reads can be granted, and none of a secret, of a session, or of the audit log', async () => {
    const stored = await readServiceContent(service, 'Mailer');
    const { operations } = createOperations(service.dependencies);
    const grantable: string[] = [];
    for (const { id } of operations) {
      const { status, json } = await grant('Mailer', [id], '0');
      if (status === 409) grantable.push(id);
      else
        assert.deepEqual(
          [status, json.code, json.errors?.[0]?.path],
          [400, 'invalid-service-profile', 'body.operations.0'],
        );
    }
    for (const id of grantable) {
      const { method, access, holdsSecret, path } = operations.find((each) => each.id === id) ?? assert.fail();
      assert.ok(method === 'GET' && access !== 'anyone' && holdsSecret === undefined, id);
      assert.ok(!/\/session\/|\/audit|activation/.test(path), id);
    }
    // Each new operation that a key may call is a decision.
    assert.deepEqual(grantable.toSorted(), grantableIds);
    for (const list of [['Nothing'], ['getservices'], [''], [5], ['GetServices', 'GetServices'], 'GetService', null])
      assert.equal((await grant('Mailer', list as string[])).status, 400, JSON.stringify(list));
    assert.deepEqual(await readServiceContent(service, 'Mailer'), stored);
  });

  test('a grant needs Managers Write in addition to the rights for a write of a service', async () => {
    const token = await issueToken({ permissions: permissions.filter((each) => each !== 'Managers.Write') });
    const { status, json } = await setReadAccess(service, 'Mailer', [], { token });
    assert.deepEqual([status, json.code, json.reason], [403, 'forbidden', 'missing-managers-write']);
    const least = await issueToken({
      tabs: ['Services1'],
      permissions: ['Service.Read', 'Service.Write', 'Managers.Write'],
    });
    assert.equal((await setReadAccess(service, 'Mailer', ['GetServices'], { token: least })).status, 200);
  });

  test('a stale revision is 409, a body that is too large 413, and an Idempotency-Key is ignored', async () => {
    const headers = { 'idempotency-key': 'grant' };
    for (const status of [200, 409]) {
      const reply = await setReadAccess(service, 'Backup', ['GetServices'], { ...manager, headers });
      assert.deepEqual([reply.status, isReplay(reply)], [status, false]);
    }
    for (const revision of ['1', '3', '']) {
      const { status, json } = await grant('Backup', [], revision);
      assert.deepEqual([status, json.code], [409, 'service-profile-conflict'], revision);
    }
    const rawBody = JSON.stringify({ operations: [], expectedRevision: '2' }).padEnd(4097, ' ');
    const large = await service.call('PUT', servicePath('Backup', '/read-access'), { ...manager, rawBody });
    assert.deepEqual([large.status, large.json.code], [413, 'invalid-service-profile']);
    const replies = await runInParallel(10, (at) =>
      setReadAccess(replicaFor(at), 'Backup', at % 2 === 0 ? [] : ['GetInstaller'], {
        ...manager,
        expectedRevision: '2',
      }),
    );
    assert.deepEqual(countOutcomes(replies), { '200': 1, '409 service-profile-conflict': 9 });
  });
});
