// Refused residents: the guest, the GDPR user, and residents of another tenant or bank; and storage that cannot be
// reached.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createUser, executeUserCommand, getActivation, getWorkspace, usersPath } from '../support/resident-calls.ts';
import { createBankOfResidents, residentTables } from '../support/resident-rows.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { readTableRows } from '../support/table-rows.ts';
import { testNow } from '../support/times.ts';
import { callWithoutStorage } from '../support/without-storage.ts';

serviceSuite({ now: testNow, manager: { retentionDays: 30 } }, ({ service, manager, nextBankId }) => {
  async function createBank(...residents: object[]) {
    const bankId = nextBankId();
    await createBankOfResidents(service, bankId, [{}, ...residents]);
    return { bankId, token: manager.token };
  }
  type Options = Awaited<ReturnType<typeof createBank>>;
  const readRows = (bankId: number) => service.read('sund', (db) => readTableRows(db, residentTables, bankId));
  const askAll = async (residentId: number, options: Options) => [
    await getWorkspace(service, residentId, options),
    await getActivation(service, residentId, options),
    await executeUserCommand(service, residentId, { command: 'Delete' }, options),
    await executeUserCommand(service, residentId, { command: 'RenewActivation' }, options),
  ];

  test('[kid.09] the guest and the GDPR user are not residents: 400 invalid-user', async () => {
    const options = await createBank();
    for (const residentId of [1000, 0])
      for (const { status, json } of await askAll(residentId, options)) {
        assert.deepEqual([status, json.code], [400, 'invalid-user']);
        assert.equal(json.errors?.[0]?.path, 'path.userKid');
      }
  });

  test('a resident who does not exist, has expired or was deleted too long ago is 404, and nothing changes', async () => {
    const options = await createBank({ expired_at: testNow }, { deleted_at: 1 });
    const rows = await readRows(options.bankId);
    for (const residentId of [1099, 1002, 1003])
      for (const { status, json } of await askAll(residentId, options))
        assert.deepEqual([status, json.code], [404, 'not-found'], String(residentId));
    assert.deepEqual(await readRows(options.bankId), rows);
  });

  test('a KID of another tenant, or of another type, is 400 invalid-kid; a resident of another bank is 404', async () => {
    const { bankId } = await createBank();
    const path = (bank: string, user: string): string => `/api/v1/banks/${bank}/users/${user}`;
    const [bank, user] = [`sund-B${bankId}`, `sund-B${bankId}-R1001`];
    const foreign = [
      path(`fjord-B${bankId}`, user),
      path(bank, `fjord-B${bankId}-R1001`),
      path(bank, bank),
      path(bank, 'R1001'),
      path(bank, `${bank}-L1`),
    ];
    for (const target of foreign)
      for (const [method, suffix] of [
        ['GET', ''],
        ['GET', '/activation'],
        ['POST', '/commands/Disable'],
      ] as const) {
        const body = method === 'POST' ? { body: { expectedRevision: '1' } } : {};
        const { status, json } = await service.call(method, `${target}${suffix}`, { ...manager, ...body });
        assert.deepEqual([status, json.code], [400, 'invalid-kid'], `${target}${suffix}`);
      }
    for (const rest of ['', '/export.csv'])
      assert.equal((await service.call('GET', `/api/v1/banks/fjord-B${bankId}/users${rest}`, manager)).status, 400);
    const other = await createBank();
    const elsewhere = await service.call('GET', path(`sund-B${other.bankId}`, user), manager);
    assert.deepEqual([elsewhere.status, elsewhere.json.code], [404, 'not-found']);
  });

  test('without a token nothing is revealed, and nothing changes', async () => {
    const { bankId } = await createBank();
    const rows = await readRows(bankId);
    const replies = [
      await service.call('GET', usersPath(bankId)),
      await service.call('GET', `${usersPath(bankId)}/export.csv`),
      await service.call('POST', usersPath(bankId), { body: { name: 'Ada' } }),
      ...(await askAll(1001, { bankId, token: 'x'.repeat(43) })),
    ];
    for (const { status, json } of replies) assert.deepEqual([status, json.code], [401, 'unauthenticated']);
    assert.deepEqual(await readRows(bankId), rows);
  });

  test('while storage is away lists, workspaces and files are 503', async () => {
    const options = await createBank();
    const asks = [
      () => service.call('GET', usersPath(options.bankId), options),
      () => getWorkspace(service, 1001, options),
      () => service.call('GET', `${usersPath(options.bankId)}/export.csv`, options),
      () => createUser(service, {}, options),
    ];
    const rows = await readRows(options.bankId);
    for (const ask of asks) {
      const { status, json } = await callWithoutStorage(service, ask);
      assert.equal(status, 503);
      assert.match(json.code, /^storage-/);
    }
    assert.deepEqual(await readRows(options.bankId), rows);
  });
});
