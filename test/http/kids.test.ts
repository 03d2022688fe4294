// KIDs in the path and the query of a request: a KID of another tenant is refused, and a valid KID gives no rights.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { permissions, tabs } from '../../src/permissions/matrix.ts';
import { insertTestBank, insertTestResident, createToken } from '../support/factories.ts';
import { serviceSuite } from '../support/service-suite.ts';

const account = '/api/v1/banks/sund-B1001/account';

const malformed = [
  'B1001',
  'sund',
  'sund-',
  'sund-B',
  'sund-B01001',
  'sund-b1001',
  'SUND-B1001',
  'sund-B1001-',
  'sund--B1001',
  'sund-B-1001',
  'sund-B+1001',
  'sund-B1001.0',
  'sund-B0',
  'sund-B2147483648',
  'sund-B9223372036854775808',
  'sund_B1001',
  ' sund-B1001',
  'sund-B1001 ',
  'sund-B1001\0',
  'sund-B１００１',
  'ѕund-B1001',
  'sund-B1001-L1-U1-D1-X1',
  'house',
  '*',
  '..',
  `sund-B1001${'0'.repeat(2040)}`,
];
const foreign = ['fjord-B1001', 'malar-B1001', 'oslo-B1001', 'sunds-B1001'];
const otherTypes = ['sund-M1001', 'sund-I2001', 'sund-B0-M3', 'sund-B1001-X1', 'sund-B1001-L1-U1-D1'];

serviceSuite({}, ({ service, manager }) => {
  before(async () => {
    await service.write('sund', async (db) => {
      await insertTestBank(db);
      await insertTestBank(db, { bankId: 1002 });
      await insertTestResident(db, 1001);
    });
  });

  test('[kid.03, kid.06] a malformed, foreign or wrong KID in the path is 400 invalid-kid', async () => {
    for (const kid of [...malformed, ...foreign, ...otherTypes, 'sund-B1001-L1', 'sund-B1001-R1001']) {
      for (const rest of ['account', 'account/revision']) {
        const { status, json } = await service.call('GET', `/api/v1/banks/${encodeURIComponent(kid)}/${rest}`, {
          token: manager.token,
        });
        assert.deepEqual([status, json.code], [400, 'invalid-kid'], kid);
        assert.deepEqual(json.errors.map(({ path }: { path: string }) => path).includes('path.bankKid'), true, kid);
      }
    }
    assert.equal((await service.call('GET', account, manager)).status, 200);
  });

  test('[kid.03, kid.06] a malformed, foreign or wrong KID in the query is 400 invalid-kid', async () => {
    const good = { LocationKid: 'sund-B1001-L1', UnitKid: 'sund-B1001-L1-U1', UserKid: 'sund-B1001-R1001' };
    for (const [name, kid] of Object.entries(good)) {
      assert.equal((await service.call('GET', `${account}?${name}=${kid}`, manager)).status, 200);
      const others = Object.values(good).filter((other) => other !== kid);
      // A KID of another bank: well-formed and of this tenant, but not of the bank in the path.
      const elsewhere = kid.replace('B1001', 'B1002');
      for (const wrong of [
        '',
        ...malformed,
        ...foreign,
        ...otherTypes,
        ...others,
        'sund-B1001',
        kid.replace('sund', 'fjord'),
        elsewhere,
      ]) {
        const path = `${account}?${new URLSearchParams({ [name]: wrong }).toString()}`;
        const { status, json } = await service.call('GET', path, manager);
        // A value longer than any KID also exceeds the length limit.
        const code = wrong.length > 2048 ? 'invalid-request' : 'invalid-kid';
        assert.deepEqual([status, json.code], [400, code], `${name}=${wrong}`);
        assert.equal(json.errors[0].path, `query.${name}`);
      }
    }
  });

  test('[kid.04] a valid KID gives no rights: it is refused like that of a missing object', async () => {
    const seen = await service.call('GET', account, manager);
    const [unit] = seen.json.choices.units;
    const path = (bankKid: string, query = '') => `/api/v1/banks/${bankKid}/account${query}`;
    const opened = [
      path(seen.json.bankKid),
      path(seen.json.bankKid, `?LocationKid=${unit.locationKid}`),
      path(seen.json.bankKid, `?UnitKid=${unit.kid}`),
      path(seen.json.bankKid, '?UserKid=sund-B1001-R1001'),
    ];
    for (const each of opened) {
      assert.equal((await service.call('GET', each, manager)).status, 200, each);
      assert.equal((await service.call('GET', each)).status, 401, each);
      const answers = async (options: Parameters<typeof createToken>[1]): Promise<unknown[]> => {
        const { token: other } = await createToken(service, options);
        const { status, json } = await service.call('GET', each, { token: other });
        return [status, json.code];
      };
      assert.deepEqual(await answers({ tabs: tabs.filter((tab) => tab !== 'Account2') }), [403, 'forbidden']);
      assert.deepEqual(await answers({ permissions: permissions.filter((name) => name !== 'Bank.Read') }), [
        403,
        'forbidden',
      ]);
      assert.deepEqual(await answers({ grants: [] }), [403, 'forbidden']);
      assert.deepEqual(await answers({ grants: [{ bankId: 1002, locationId: 0 }] }), [403, 'forbidden']);
    }
  });

  test('[kid.04] objects outside the grants and missing objects get the same answer', async () => {
    const limited = await createToken(service, { grants: [{ bankId: 1001, locationId: 2 }] });
    const pairs = [
      ['/api/v1/banks/sund-B1002/account', '/api/v1/banks/sund-B4711/account'],
      [`${account}?LocationKid=sund-B1001-L1`, `${account}?LocationKid=sund-B1001-L4711`],
      [`${account}?UnitKid=sund-B1001-L1-U1`, `${account}?UnitKid=sund-B1001-L4711-U1`],
    ];
    for (const pair of pairs) {
      const [hidden, missing] = await Promise.all(pair.map((path) => service.call('GET', path, limited)));
      assert.equal(hidden?.status, 403);
      const { traceId: _, ...problem } = hidden?.json ?? {};
      const { traceId: __, ...problemOfNothing } = missing?.json ?? {};
      assert.deepEqual(problem, problemOfNothing);
    }
    assert.equal((await service.call('GET', `${account}?LocationKid=sund-B1001-L2`, limited)).status, 200);
  });
});
