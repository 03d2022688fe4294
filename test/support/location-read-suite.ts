// Declares the common tests of reads of a location: who can read it, which query it accepts, and how it is refused.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { permissions, tabs } from '../../src/permissions/matrix.ts';
import { comparableRefusal } from './account-reads.ts';
import type { HttpReply } from './call.ts';
import { insertTestBank, type ManagerOptions } from './factories.ts';
import { serviceSuite, type ServiceSuite } from './service-suite.ts';
import { callWithoutStorage } from './without-storage.ts';

export type LocationRead = {
  /** The path after the location. */
  readonly subPath: string;
  /** The id of the access rule. */
  readonly ruleId: string;
};

const neededPermissions = ['Bank.Read', 'Location.Read', 'Unit.Read'] as const;

/** Declares the tests of one such operation, in a service of their own, on both engines. */
export function testLocationRead(read: LocationRead): void {
  serviceSuite({}, (suite) => declareTests(suite, read));
}

function declareTests({ service, manager, issueToken }: ServiceSuite, { subPath, ruleId }: LocationRead): void {
  before(async () => {
    await service.write('sund', async (db) => {
      await insertTestBank(db, { places: { 1: [1, 2], 2: [1], 3: [1] } });
      await insertTestBank(db, { bankId: 1002, deletedAt: 1 });
      await db.updateTable('locations').set({ deleted_at: 1 }).where('location_id', '=', 3).execute();
    });
  });

  const locationPath = (kid: string): string => `/api/v1/locations/${kid}/${subPath}`;
  const read = async (kid: string, options: ManagerOptions = {}): Promise<HttpReply> =>
    service.call('GET', locationPath(kid), { token: await issueToken(options) });
  const atLocation1: ManagerOptions = { grants: [{ bankId: 1001, locationId: 1 }] };

  test(`[${ruleId}] ${subPath}: any Tab, Bank, Location and Unit Read and a grant of the location are enough, and needed`, async () => {
    for (const tab of tabs)
      assert.equal(
        (await read('sund-B1001-L1', { tabs: [tab], permissions: neededPermissions, ...atLocation1 })).status,
        200,
      );
    const refused: [options: ManagerOptions, named: RegExp][] = [
      [{ tabs: [] }, /Tab/],
      ...neededPermissions.map((missing): [ManagerOptions, RegExp] => [
        { permissions: permissions.filter((each) => each !== missing) },
        new RegExp(missing.replace('.', String.raw`\.`)),
      ]),
      [{ grants: [] }, /grant/],
    ];
    for (const [options, named] of refused) {
      const { status, json } = await read('sund-B1001-L1', options);
      assert.deepEqual([status, json.code], [403, 'forbidden']);
      assert.match(json.detail, named);
    }
    assert.equal((await service.call('GET', locationPath('sund-B1001-L1'))).status, 401);
  });

  test(`[auth.40] ${subPath}: a location that is missing, deleted or not visible gets the same refusal, byte for byte`, async () => {
    const notVisible = [
      ...['sund-B1001-L9', 'sund-B1001-L3', 'sund-B1002-L1', 'sund-B9999-L1'].map((kid) => read(kid)),
      ...['sund-B1001-L2', 'sund-B1001-L9', 'sund-B1001-L3', 'sund-B9999-L1'].map((kid) => read(kid, atLocation1)),
      read('sund-B1002-L1', { grants: [{ bankId: 1002, locationId: 1 }] }),
      read('sund-B1001-L3', { grants: [{ bankId: 1001, locationId: 3 }] }),
      read('sund-B1001-L1', { grants: [{ bankId: 1002, locationId: 0 }] }),
    ];
    const replies = await Promise.all(notVisible);
    for (const { status, json } of replies) assert.deepEqual([status, json.code], [404, 'not-found']);
    assert.equal(new Set(replies.map(comparableRefusal)).size, 1);
    const plain = replies.map(
      ({ headers: { date: _date, 'x-request-id': _id, traceparent: _trace, ratelimit: _limit, ...others } }) => others,
    );
    for (const headers of plain) assert.deepEqual(headers, plain[0]);
  });

  test(`[${ruleId}] ${subPath}: a value that is not a KID of a location of this tenant is 400, and so is any query`, async () => {
    const others = ['fjord-B1001-L1', 'sund', 'sund-B1001', 'sund-B1001-L1-U1', 'sund-B1001-R1001'];
    const malformed = ['sund-B1001-L01', 'sund-b1001-l1', 'sund-B1001-L0', 'sund-B1001-L2147483648', 'x', '%20'];
    for (const kid of [...others, ...malformed]) {
      const { status, json } = await read(kid);
      assert.deepEqual([status, json.code], [400, 'invalid-kid'], kid);
    }
    const query = await service.call('GET', `${locationPath('sund-B1001-L1')}?limit=1`, manager);
    assert.deepEqual([query.status, query.json.code], [400, 'invalid-request']);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      assert.equal((await service.call(method, locationPath('sund-B1001-L1'), manager)).status, 405);
  });

  test(`[${ruleId}] ${subPath}: storage that cannot be reached is 503`, async () => {
    const ask = (): Promise<HttpReply> => service.call('GET', locationPath('sund-B1001-L1'), manager);
    assert.equal((await ask()).status, 200);
    const { status, json, headers } = await callWithoutStorage(service, ask);
    assert.deepEqual([status, json.code, headers['retry-after']], [503, 'storage-unavailable', '10']);
    assert.equal((await ask()).status, 200);
  });
}
