// Conditional requests: what managers read has a strong ETag, and a client that sends it and can still read gets 304. A
// write takes a revision as If-Match.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { lockAndClosePeriod, lockAndAppendPostings } from '../../src/features/account/queries/ledger.ts';
import { createOperations } from '../../src/app.ts';
import { isConditional } from '../../src/http/operations/operation-properties.ts';
import { insertTestBank, insertTestResident, createToken } from '../support/factories.ts';
import { grantBank } from '../support/granted-banks.ts';
import { mockMonotonicClock } from '../support/instances.ts';
import { createSample } from './support/operation-samples.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { testNow } from '../support/times.ts';

// With a period: the ETag of an account read without dates includes the day of the request.
const account = '/api/v1/banks/sund-B1001/account?Period=0';
const posting = {
  locationId: 1,
  unitId: 1,
  residentId: 1000,
  kind: 'Consumption',
  currency: 'DKK',
  text: 'Wash',
} as const;

/** They say when they were made. */
const showsItsTime = new Set(['GetUserReceiptsHtml', 'GetBankSettlementHtml', 'GetTenantStatus']);

serviceSuite({ now: testNow }, ({ service, manager }) => {
  before(async () => {
    // The objects in the examples.
    const paths = createOperations(service.dependencies).operations.map((operation) => createSample(operation).path);
    const residentIds = new Set(paths.flatMap((path) => /B1001-R(\d+)/.exec(path)?.[1] ?? []).map(Number));
    await service.write('sund', async (db) => {
      await insertTestBank(db);
      for (const residentId of residentIds) await insertTestResident(db, residentId);
      await lockAndClosePeriod(db, grantBank(1001), 1, 1);
    });
  });

  const record = (): Promise<unknown> =>
    service.write('sund', (db) =>
      lockAndAppendPostings(db, grantBank(1001), [{ ...posting, recordedAt: testNow, amountMinor: -100n }]),
    );
  const statusWith = async (path: string, ifNoneMatch: string): Promise<number> => {
    const { status, text, headers } = await service.call('GET', path, {
      token: manager.token,
      headers: { 'if-none-match': ifNoneMatch },
    });
    assert.equal(status === 304, text === '');
    assert.equal(headers['cache-control'], 'no-store');
    return status;
  };

  test('[general.50] whatever a manager reads has an ETag, strong except where it shows its own time, after its revision if it has one, and is 304 for a client that sends it', async () => {
    const conditional = createOperations(service.dependencies).operations.filter(
      (operation) => operation.access !== 'anyone' && isConditional(operation),
    );
    assert.ok(conditional.length >= 30);
    let spared304 = 0;
    for (const operation of conditional) {
      const { path } = createSample(operation);
      const { status, json, headers } = await service.call('GET', path, manager);
      if (status !== 200) continue;
      const revision = (json?.revision ?? undefined) === undefined ? '' : `${json.revision}.`;
      const tag = `"${revision}[\\w-]{22}"`;
      assert.match(
        String(headers.etag),
        new RegExp(`^${showsItsTime.has(operation.id) ? 'W/' : ''}${tag}$`),
        operation.id,
      );
      const { etag = '' } = headers;
      const spared = await service.call('GET', path, { token: manager.token, headers: { 'if-none-match': etag } });
      assert.deepEqual([spared.status, spared.text, spared.headers.etag], [304, '', etag], operation.id);
      spared304 += 1;
      assert.equal(spared.headers['content-language'], headers['content-language']);
      assert.equal(spared.headers.vary, headers.vary);
      const head = await service.call('HEAD', path, { token: manager.token, headers: { 'if-none-match': etag } });
      assert.deepEqual([head.status, head.headers.etag, head.headers['content-length']], [304, etag, undefined]);
    }
    assert.ok(spared304 >= 25, `only ${spared304} operations`);
  });

  test('[general.50] the ETag changes with anything that is shown: data of others, rights and language', async () => {
    const path = '/api/v1/banks/sund-B1001/users';
    const etagOf = async (options: { token: string; headers?: Record<string, string> }, of = path): Promise<unknown> =>
      (await service.call('GET', of, options)).headers.etag;
    const etags = [await etagOf(manager), await etagOf(manager)];
    assert.equal(etags[0], etags[1]);
    await service.write('sund', (db) =>
      db.updateTable('locations').set({ name: 'Renamed' }).where('bank_id', '=', 1001).execute(),
    );
    etags.push(await etagOf(manager));
    assert.notEqual(etags[2], etags[1]);
    const units = '/api/v1/locations/sund-B1001-L1/units';
    const languages = ['en', 'da', 'de'].map((language) => ({ ...manager, headers: { 'accept-language': language } }));
    const ofLanguages = await Promise.all(languages.map((each) => etagOf(each, units)));
    assert.equal(new Set(ofLanguages).size, languages.length);
    const address = '/api/v1/addresses/sund-B1001-L1';
    const reader = await createToken(service, { permissions: ['Bank.Read', 'Location.Read'] });
    const ofRights = [await etagOf(manager, address), await etagOf(reader, address)];
    assert.ok(ofRights.every((each) => typeof each === 'string') && ofRights[0] !== ofRights[1]);
  });

  test('[general.50] If-None-Match is a weakly compared list, or the star', async () => {
    const revision = String((await service.call('GET', account, manager)).headers.etag).slice(1, -1);
    const same = [
      `"${revision}"`,
      `W/"${revision}"`,
      `"a", "${revision}"`,
      `W/"a",W/"${revision}" , "b"`,
      '*',
      ' * ',
      `"a,b","${revision}"`,
    ];
    for (const field of same) assert.equal(await statusWith(account, field), 304, field);
    const other = [
      '""',
      '"other"',
      revision,
      `'${revision}'`,
      `"${revision}x"`,
      `"${revision.toLowerCase()}~"`,
      `"x${revision}"`,
      'W/""',
      ',',
      '"',
      '"*"',
      '*, "a"',
    ];
    for (const field of other) assert.equal(await statusWith(account, field), 200, field);
  });

  test('[general.50] a changed set has another ETag, and the old one gives no 304', async () => {
    const old = (await service.call('GET', account, manager)).headers.etag ?? '';
    await record();
    const { headers } = await service.call('GET', account, manager);
    assert.notEqual(headers.etag, old);
    assert.equal(await statusWith(account, old), 200);
    assert.equal(await statusWith(account, headers.etag ?? ''), 304);
  });

  test('[general.50] 304 is answered only after the permission checks: a manager who can no longer read gets 403', async () => {
    const { token: losing, managerId } = await createToken(service);
    const etag = (await service.call('GET', account, { token: losing })).headers.etag ?? '';
    const statusFor = async (with_: { token?: string; host?: string }, field = etag): Promise<number> =>
      (await service.call('GET', account, { ...with_, headers: { 'if-none-match': field } })).status;
    assert.equal(await statusFor({ token: losing }), 304);
    await service.write('sund', (db) =>
      db.deleteFrom('manager_permissions').where('manager_id', '=', managerId).execute(),
    );
    const clock = mockMonotonicClock();
    clock.advance(60_000);
    try {
      for (const field of [etag, '*']) {
        assert.equal(await statusFor({ token: losing }, field), 403);
        assert.equal(await statusFor({}, field), 401);
        assert.equal(await statusFor({ token: 'unknown' }, field), 401);
        assert.equal(await statusFor({ token: losing, host: 'beta.api.sund.localhost' }, field), 401);
      }
    } finally {
      clock.restore();
    }
    const confined = await createToken(service, { grants: [{ bankId: 1002, locationId: 0 }] });
    assert.equal(await statusFor(confined), 403);
    const malformed = await service.call('GET', `${account}&Limit=0`, {
      token: manager.token,
      headers: { 'if-none-match': '*' },
    });
    assert.equal(malformed.status, 400);
  });

  test('an export, which is sent while it is made, has no ETag, and ignores If-None-Match, as writes do', async () => {
    const { status, headers } = await service.call('GET', '/api/v1/banks/sund-B1001/users/export.csv', {
      token: manager.token,
      headers: { 'if-none-match': '*' },
    });
    assert.deepEqual([status, headers.etag], [200, undefined]);
    const login = await service.call('POST', '/api/v1/session/login', {
      body: { userName: 'nobody', password: 'nothing' },
      headers: { 'if-none-match': '*' },
    });
    assert.equal(login.status, 401);
  });
});
