// Who can read receipts, how a refusal is worded, and that a refusal does not reveal what exists.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { postingDraft, createBankWithModel, recordInBoth, comparableRefusal } from '../support/account-reads.ts';
import { insertTestBank, insertTestResident, createToken, type ManagerOptions } from '../support/factories.ts';
import { type BankModel } from '../support/account-oracle.ts';
import { permissions, tabs } from '../../src/permissions/matrix.ts';
import { fetchAllReceiptsPages, fetchReceiptsPage, receiptsPath, fetchRefusal, userKidOf } from './support/receipts.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { testNow } from '../support/times.ts';

const path = receiptsPath('sund-B1001-R1001');

serviceSuite({ tenants: ['sund', 'fjord'], now: testNow }, ({ service, manager, issueToken }) => {
  let book: BankModel;
  before(async () => {
    book = await createBankWithModel(service);
    await service.write('sund', async (db) => {
      await insertTestBank(db, { bankId: 1002 });
      await insertTestBank(db, { bankId: 1003, deletedAt: 1 });
      await insertTestResident(db, 1001, { bankId: 1002 });
      await insertTestResident(db, 1001, { bankId: 1003 });
      await insertTestResident(db, 1009, { expiredAt: testNow });
      await insertTestResident(db, 1010);
      await db.updateTable('residents').set({ deleted_at: testNow }).where('resident_id', '=', 1010).execute();
    });
    await recordInBoth(service, book, [postingDraft(testNow - 1), postingDraft(testNow - 2, { residentId: 1002 })]);
  });

  test('[receipts.01, receipts.25] a read is answered 200, 400, 401, 403, 404 or 409', async () => {
    const { revision } = await fetchReceiptsPage(service, manager.token, userKidOf(book));
    const other = `${revision.startsWith('A') ? 'B' : 'A'}${revision.slice(1)}`;
    const table: [status: string, userKid: string, query?: string, bearer?: string | undefined][] = [
      ['400 invalid-user', 'sund-B1001-R01001'],
      ['400 invalid-page', userKidOf(book), 'offset=-1'],
      ['403 forbidden', userKidOf(book), '', await issueToken({ tabs: [] })],
      ['404 not-found', userKidOf(book, 4711)],
      ['409 receipts-changed', userKidOf(book), `revision=${other}`],
      ['401 unauthenticated', userKidOf(book), '', 'no-token'],
    ];
    for (const [expected, userKid, query, bearer = manager.token] of table)
      assert.equal(await fetchRefusal(service, bearer, userKid, query), expected);
    assert.equal(await fetchRefusal(service, undefined, userKidOf(book)), '401 unauthenticated');
  });

  test('[receipts.02, receipts.26] Users2, Bank Read, User Read and a bank-wide grant are needed, and nothing else', async () => {
    const least: ManagerOptions = {
      tabs: ['Users2'],
      permissions: ['Bank.Read', 'User.Read'],
      grants: [{ bankId: 1001, locationId: 0 }],
    };
    assert.equal((await service.call('GET', path, { token: await issueToken(least) })).status, 200);
    const tenantWide = { ...least, grants: [{ bankId: 0, locationId: 0 }] };
    assert.equal((await service.call('GET', path, { token: await issueToken(tenantWide) })).status, 200);
    const lacking: [ManagerOptions, reason: string][] = [
      [{ tabs: tabs.filter((tab) => tab !== 'Users2') }, 'missing-tab'],
      [{ permissions: permissions.filter((each) => each !== 'Bank.Read') }, 'missing-bank-read'],
      [{ permissions: permissions.filter((each) => each !== 'User.Read') }, 'missing-user-read'],
      [{ grants: [] }, 'too-narrow'],
      [{ grants: [{ bankId: 1001, locationId: 1 }] }, 'too-narrow'],
      [{ grants: [1, 2].map((locationId) => ({ bankId: 1001, locationId })) }, 'too-narrow'],
    ];
    for (const [options, reason] of lacking) {
      const { status, json } = await service.call('GET', path, { token: await issueToken(options) });
      assert.deepEqual([status, json.code, json.reason], [403, 'forbidden', reason]);
    }
  });

  test('[receipts.02] a bank-wide grant elsewhere does not help: 403 for a visible resident, 404 for any other', async () => {
    const elsewhere = { bankId: 1002, locationId: 0 };
    const mixed = await issueToken({ grants: [elsewhere, { bankId: 1001, locationId: 1 }] });
    assert.equal(await fetchRefusal(service, mixed, userKidOf(book)), '403 forbidden');
    assert.equal(await fetchRefusal(service, mixed, userKidOf(book, 4711)), '404 not-found');
    const awayFromHome = await issueToken({ grants: [elsewhere, { bankId: 1001, locationId: 2 }] });
    assert.equal(await fetchRefusal(service, awayFromHome, userKidOf(book)), '404 not-found');
    assert.equal(
      await fetchRefusal(service, await issueToken({ grants: [elsewhere] }), userKidOf(book)),
      '404 not-found',
    );
    assert.deepEqual((await fetchReceiptsPage(service, mixed, 'sund-B1002-R1001')).items, []);
  });

  test('[receipts.25] a value that is not a resident’s KID of this tenant is 400 invalid-user', async () => {
    const bad = [
      'R1001',
      'sund-B1001',
      'sund-B1001-L1',
      'sund-B1001-R',
      'sund-B1001-R01001',
      'sund-b1001-R1001',
      'sund-B1001-R1001-',
      'sund-B1001-R100000',
      'sund-B1001-R999',
      'sund-B1001-R1',
      'sund-M1001',
      'fjord-B1001-R1001',
      'sunds-B1001-R1001',
      `sund-B1001-R1001${'0'.repeat(2048)}`,
      // The guest and the GDPR user are no residents.
      'sund-B1001-R1000',
      'sund-B1001-R0',
    ];
    for (const userKid of bad) {
      const { status, json } = await service.call('GET', receiptsPath(encodeURIComponent(userKid)), manager);
      assert.deepEqual([status, json.code, json.errors[0].path], [400, 'invalid-user', 'path.userKid'], userKid);
    }
    // An invalid KID is reported first, whatever else is wrong.
    assert.equal(await fetchRefusal(service, manager.token, 'fjord-B1001-R1001', 'offset=-1'), '400 invalid-user');
  });

  test('[receipts.26] a resident who is missing, expired or deleted, or of such a bank, is the same 404, byte for byte', async () => {
    const missing = [
      userKidOf(book, 4711),
      userKidOf(book, 1009),
      userKidOf(book, 1010),
      'sund-B1003-R1001',
      'sund-B9999-R1001',
    ];
    const replies = [];
    for (const userKid of missing) replies.push(await service.call('GET', receiptsPath(userKid), manager));
    for (const { status, json } of replies) assert.deepEqual([status, json.code], [404, 'not-found']);
    assert.equal(new Set(replies.map(comparableRefusal)).size, 1);
  });

  test('a token of another tenant is refused, and the same id in another tenant is another resident', async () => {
    const abroad = await createToken(service, { tenant: 'fjord' });
    assert.equal((await service.call('GET', path, { token: abroad.token })).status, 401);
    const options = { token: abroad.token, host: 'api.fjord.localhost' };
    assert.equal((await service.call('GET', path, options)).json.code, 'invalid-user');
    assert.equal((await service.call('GET', receiptsPath('fjord-B1001-R1001'), options)).status, 404);
  });

  test('[receipts.24] receipts cannot be written, and reading changes nothing', async () => {
    const stored = () =>
      service.read('sund', (db) =>
        Promise.all([
          db.selectFrom('postings').selectAll().execute(),
          db.selectFrom('ledgers').selectAll().execute(),
          db.selectFrom('posting_rollups').selectAll().execute(),
          db.selectFrom('resident_rollups').selectAll().execute(),
          db.selectFrom('residents').selectAll().execute(),
        ]),
      );
    const first = await stored();
    await fetchAllReceiptsPages(service, manager.token, userKidOf(book));
    assert.deepEqual(await stored(), first);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const { status, headers } = await service.call(method, path, manager);
      assert.deepEqual([status, headers.allow], [405, 'GET, HEAD, OPTIONS'], method);
    }
    for (const rest of ['refund', 'payment', 'export.csv', 'export'])
      assert.equal((await service.call('GET', `${path}/${rest}`, manager)).json.code, 'unknown-route');
  });

  test('a read shows only the receipts of the requested resident', async () => {
    const kids = async (residentId: number): Promise<(string | null)[]> =>
      (await fetchReceiptsPage(service, manager.token, userKidOf(book, residentId))).items.flatMap(({ lines }) =>
        lines.map(({ kid }) => kid),
      );
    assert.deepEqual(await kids(1001), ['sund-B1001-X1']);
    assert.deepEqual(await kids(1002), ['sund-B1001-X2']);
    assert.deepEqual(await kids(1003), []);
  });
});
