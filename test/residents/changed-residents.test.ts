// What shows a resident follows a change to the resident at once: accounts and receipts have another revision, and a
// client that names the old one gets the new answer. Other banks and other tenants are left alone.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Tables } from '../../src/database/tables.ts';
import { lockAndAppendPostings } from '../../src/features/account/queries/ledger.ts';
import { accountPath, postingDraft, revisionPath } from '../support/account-reads.ts';
import { insertBooking, bookingsPath } from '../support/bookings.ts';
import { createToken, insertTestBank, insertTestResident, setTenantSetting } from '../support/factories.ts';
import { grantBank } from '../support/granted-banks.ts';
import { changeResident } from '../support/resident-changes.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { testNow } from '../support/times.ts';

const bank = { bankKid: 'sund-B1001' };
const otherBank = { bankKid: 'sund-B1002' };
// With dates: the ETag of an account that names no day has the day of the request.
const day = 'From=2026-06-15&Through=2026-06-15';
const ofBank = [accountPath(bank, day), revisionPath(bank, day), accountPath(bank, 'Period=0')];
const ofResident = '/api/v1/users/sund-B1001-R1001/receipts';
const ofNeighbour = '/api/v1/users/sund-B1001-R1002/receipts';
const ofOtherBank = [
  accountPath(otherBank, day),
  revisionPath(otherBank, day),
  '/api/v1/users/sund-B1002-R1001/receipts',
];
const fjordBank = { bankKid: 'fjord-B1001' };
const ofOtherTenant = [accountPath(fjordBank, day), '/api/v1/users/fjord-B1001-R1001/receipts'];

// A deleted resident stays visible to this manager.
const rights = { retentionDays: 400 };

serviceSuite({ tenants: ['sund', 'fjord'], now: testNow, manager: rights }, ({ service, manager, clock }) => {
  let fjordToken: string;
  before(async () => {
    fjordToken = (await createToken(service, { tenant: 'fjord' })).token;
    for (const tenant of ['sund', 'fjord'])
      await service.write(tenant, async (db) => {
        for (const name of ['accountingRetentionDays', 'surveillanceRetentionDays'])
          await setTenantSetting(db, name, '400');
        for (const bankId of [1001, 1002]) {
          await insertTestBank(db, { bankId });
          for (const id of [1001, 1002, 1003, 1004, 1005]) await insertTestResident(db, id, { bankId });
          const drafts = [1001, 1002, 1003].map((residentId) => postingDraft(testNow - 1, { residentId }));
          await lockAndAppendPostings(db, grantBank(bankId, tenant), drafts);
        }
      });
  });

  const get = (path: string, etag?: string) => {
    const isFjord = path.includes('fjord');
    return service.call('GET', path, {
      token: isFjord ? fjordToken : manager.token,
      ...(isFjord ? { host: 'api.fjord.localhost' } : {}),
      ...(etag === undefined ? {} : { headers: { 'if-none-match': etag } }),
    });
  };
  const readEtags = async (paths: readonly string[]): Promise<ReadonlyMap<string, string>> => {
    const etags = new Map<string, string>();
    for (const path of paths) etags.set(path, (await get(path)).headers.etag ?? '');
    return etags;
  };
  const readStatuses = async (etags: ReadonlyMap<string, string>): Promise<number[]> => {
    const statuses: number[] = [];
    for (const [path, etag] of etags) statuses.push((await get(path, etag)).status);
    return statuses;
  };
  const change = (columns: Partial<Tables['residents']>, residentId = 1001): Promise<void> =>
    service.write('sund', (db) => changeResident(db, { bankId: 1001, residentId }, columns));
  const allEqual = (statuses: readonly number[], expected: number): void =>
    assert.deepEqual(
      statuses,
      Array.from({ length: statuses.length }, () => expected),
    );

  const changes: [what: string, columns: Partial<Tables['residents']>, receipts: number][] = [
    ['renamed', { name: 'Ada Renamed' }, 200],
    ['moved', { location_id: 2 }, 200],
    ['deleted', { deleted_at: testNow }, 200],
    ['restored', { deleted_at: null }, 200],
    ['expired', { expired_at: testNow }, 404],
  ];
  for (const [what, columns, receipts] of changes)
    test(`the revisions of account and receipts change when a resident is ${what}, and no 304 hides it`, async () => {
      const mine = await readEtags([...ofBank, ofResident]);
      const others = await readEtags([ofNeighbour, ...ofOtherBank, ...ofOtherTenant]);
      allEqual(await readStatuses(mine), 304);
      await change(columns);
      assert.deepEqual(await readStatuses(mine), [...ofBank.map(() => 200), receipts]);
      allEqual(await readStatuses(others), 304);
      const again = await readEtags([...ofBank]);
      for (const [path, etag] of again) assert.notEqual(etag, mine.get(path), path);
      allEqual(await readStatuses(again), 304);
    });

  test('the commands SetName, SetLocation, Delete and Restore change the revisions of account and receipts', async () => {
    const user = '/api/v1/banks/sund-B1001/users/sund-B1001-R1005';
    const receipts = '/api/v1/users/sund-B1001-R1005/receipts';
    const commands: [command: string, value?: string][] = [
      ['SetName', 'Eve Renamed'],
      ['SetLocation', 'sund-B1001-L2'],
      ['Delete'],
      ['Restore'],
    ];
    for (const [command, value] of commands) {
      const mine = await readEtags([...ofBank, receipts]);
      const others = await readEtags([ofNeighbour, ...ofOtherBank, ...ofOtherTenant]);
      const body = { expectedRevision: (await get(user)).json.revision, ...(value === undefined ? {} : { value }) };
      const { status, text } = await service.call('POST', `${user}/commands/${command}`, {
        token: manager.token,
        body,
      });
      assert.equal(status, 200, text);
      allEqual(await readStatuses(mine), 200);
      allEqual(await readStatuses(others), 304);
    }
  });

  test('account, export and bookings show the new name at once', async () => {
    await insertBooking(service, { residentId: 1002 });
    const bookings = bookingsPath('From=2026-06-16&Through=2026-06-16');
    await get(accountPath(bank, day));
    await change({ name: 'Bo Renamed' }, 1002);
    const { items } = (await get(accountPath(bank, day))).json;
    const names = items.map(({ userName }: { userName: string }) => userName);
    assert.ok(names.includes('Bo Renamed'), names);
    assert.ok((await get(`/api/v1/banks/sund-B1001/account/export.csv?${day}`)).text.includes('Bo Renamed'));
    assert.equal((await get(bookings)).json.items[0].userName, 'Bo Renamed');
  });

  test('an identity that expires by the clock changes the revision without a write', async () => {
    await change({ expired_at: testNow + 1000 }, 1003);
    const paths = [...ofBank, '/api/v1/users/sund-B1001-R1003/receipts'];
    const etags = await readEtags(paths.filter((path) => path !== revisionPath(bank, day)));
    allEqual(await readStatuses(etags), 304);
    clock.now = testNow + 999;
    allEqual(await readStatuses(etags), 304);
    clock.now = testNow + 1000;
    assert.deepEqual(await readStatuses(etags), [200, 200, 404]);
  });
});
