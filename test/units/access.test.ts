// Who may read and write a unit's settings, and that a refusal tells nothing of what exists.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { permissions, tabs } from '../../src/permissions/matrix.ts';
import { refusalOf } from '../support/account.ts';
import type { Reply } from '../support/call.ts';
import { makeBank, makeToken, type ManagerOptions } from '../support/factories.ts';
import { onBothEngines, startService, type Service } from '../support/service.ts';
import { at, changeUnit, kidOf, setSetting, settingPath, storedOf, unitPath, type At } from '../support/settings.ts';
import { withoutStorage } from '../support/without-storage.ts';

type Operation = {
  readonly name: string;
  readonly needs: readonly string[];
  readonly ask: (service: Pick<Service, 'call'>, unit: At | string, token: string | undefined) => Promise<Reply>;
};

const reads = ['Bank.Read', 'Location.Read', 'Unit.Read'];
const operations: readonly Operation[] = [
  {
    name: 'GetUnitOverview',
    needs: reads,
    ask: ({ call }, unit, token) => call('GET', unitPath(unit), { token }),
  },
  {
    name: 'GetUnitGroup',
    needs: reads,
    ask: ({ call }, unit, token) => call('GET', unitPath(unit, '/groups/General'), { token }),
  },
  {
    name: 'GetUnitSettingHistory',
    needs: reads,
    ask: ({ call }, unit, token) => call('GET', settingPath(unit, 'Note', '/history'), { token }),
  },
  {
    name: 'SetUnitSetting',
    needs: [...reads, 'Unit.Write'],
    ask: (service, unit, token) => setSetting(service, unit, 'OutOfOrder', false, { token }),
  },
];
const atLocation = (locationId: number, bankId = 1001): ManagerOptions => ({ grants: [{ bankId, locationId }] });

onBothEngines((engine) => {
  let service: Service;
  before(async () => {
    service = await startService(engine, { tenants: ['sund', 'fjord'] });
    await service.write('sund', async (db) => {
      await makeBank(db, { places: { 1: [1, 2], 2: [1], 3: [1] } });
      await makeBank(db, { bankId: 1002, deletedAt: 1 });
      await makeBank(db, { bankId: 1003 });
      await changeUnit(db, at(1001, 1, 2), { deleted_at: 1 });
      await changeUnit(db, at(1003, 1, 1), { enabled: 0 });
      await db
        .updateTable('locations')
        .set({ deleted_at: 1 })
        .where('bank_id', '=', 1001)
        .where('location_id', '=', 3)
        .execute();
    });
    await service.write('fjord', (db) => makeBank(db));
  });
  after(() => service.stop());

  const tokenOf = async (options: ManagerOptions = {}): Promise<string> => (await makeToken(service, options)).token;

  for (const { name, needs, ask } of operations) {
    test(`[settings.03, settings.10] ${name}: any Tab, the permissions and a grant of the location are enough, and each is needed (${engine})`, async () => {
      const held = permissions.filter((each) => needs.includes(each));
      for (const tab of tabs) {
        const least = { tabs: [tab], permissions: held, ...atLocation(1) };
        assert.equal((await ask(service, at(), await tokenOf(least))).status, 200, tab);
      }
      const refused: [options: ManagerOptions, named: RegExp][] = [
        [{ tabs: [] }, /an assigned Tab/],
        ...needs.map((missing): [ManagerOptions, RegExp] => [
          { permissions: permissions.filter((each) => each !== missing) },
          new RegExp(`the permission ${missing.replace('.', String.raw`\.`)}\\.`),
        ]),
        [{ grants: [] }, /grant/],
      ];
      const stored = await storedOf(service);
      for (const [options, named] of refused) {
        const { status, json } = await ask(service, at(), await tokenOf(options));
        assert.deepEqual([status, json.code], [403, 'forbidden']);
        assert.match(json.detail, named);
      }
      for (const token of [undefined, 'unknown']) assert.equal((await ask(service, at(), token)).status, 401);
      assert.deepEqual(await storedOf(service), stored);
    });

    test(`[auth.40, settings.10] ${name}: a unit that is missing, deleted or out of sight is refused alike, byte for byte (${engine})`, async () => {
      const cases: [options: ManagerOptions, units: At[]][] = [
        [{}, [at(1001, 1, 9), at(1001, 1, 2), at(1001, 3, 1), at(1001, 9, 1), at(1002, 1, 1), at(9999, 1, 1)]],
        [atLocation(1), [at(1001, 1, 9), at(1001, 1, 2), at(1001, 2, 1), at(1001, 2, 9), at(1003, 1, 1)]],
        [atLocation(3), [at(1001, 3, 1), at(1001, 1, 1)]],
        [atLocation(1, 1002), [at(1002, 1, 1), at(1001, 1, 1)]],
        [atLocation(0, 1003), [at(1001, 1, 1), at(1002, 1, 1), at(1003, 1, 9)]],
      ];
      const stored = await storedOf(service);
      const replies: Reply[] = [];
      for (const [options, units] of cases) {
        const token = await tokenOf(options);
        for (const unit of units) replies.push(await ask(service, unit, token));
      }
      for (const { status, json } of replies) assert.deepEqual([status, json.code], [404, 'not-found']);
      assert.equal(new Set(replies.map(refusalOf)).size, 1);
      const plain = replies.map(
        ({ headers: { date: _date, 'x-request-id': _id, traceparent: _trace, ...others } }) => others,
      );
      for (const headers of plain) assert.deepEqual(headers, plain[0]);
      assert.deepEqual(await storedOf(service), stored, 'not even a version turns');
    });

    test(`${name}: a grant opens just the units that it covers, disabled ones too (${engine})`, async () => {
      const units = [at(), at(1001, 2, 1), at(1003, 1, 1), at(1003, 2, 1)];
      const opened = async (options: ManagerOptions): Promise<string[]> => {
        const token = await tokenOf(options);
        const replies = await Promise.all(units.map((unit) => ask(service, unit, token)));
        return units.filter((_, index) => replies[index]?.status === 200).map(kidOf);
      };
      assert.deepEqual(await opened({}), units.map(kidOf));
      assert.deepEqual(await opened(atLocation(0)), units.slice(0, 2).map(kidOf));
      assert.deepEqual(await opened(atLocation(2)), ['sund-B1001-L2-U1']);
      assert.deepEqual(await opened({ grants: [...(atLocation(1).grants ?? []), { bankId: 1003, locationId: 2 }] }), [
        'sund-B1001-L1-U1',
        'sund-B1003-L2-U1',
      ]);
    });

    test(`${name}: what is no KID of a unit of this tenant is 400 invalid-kid (${engine})`, async () => {
      const token = await tokenOf();
      const others = ['fjord-B1001-L1-U1', 'sund', 'sund-B1001', 'sund-B1001-L1', 'sund-B1001-R1001', 'sund-M1001'];
      const malformed = ['sund-B1001-L1-U01', 'sund-b1001-l1-u1', 'sund-B1001-L1-U0', 'sund-B1001-L1-U1-', 'x', '%20'];
      for (const kid of [...others, ...malformed, 'sund-B1001-L1-U2147483648', 'sund-B1001-L1-U1-D5']) {
        const { status, json } = await ask(service, kid, token);
        assert.deepEqual([status, json.code], [400, 'invalid-kid'], kid);
      }
    });

    test(`${name}: storage that cannot be reached is 503 storage-unavailable, until it can be (${engine})`, async () => {
      const token = await tokenOf();
      const once = (): Promise<Reply> => ask(service, at(), token);
      assert.equal((await once()).status, 200);
      const { status, json, headers } = await withoutStorage(service, once);
      assert.deepEqual([status, json.code, headers['retry-after']], [503, 'storage-unavailable', '10']);
      assert.equal((await once()).status, 200);
    });
  }
});
