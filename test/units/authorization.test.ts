// Who may read and write a unit's settings, and that a refusal tells nothing of what exists.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { permissions, tabs } from '../../src/permissions/matrix.ts';
import { comparableRefusal } from '../support/account-reads.ts';
import type { HttpReply } from '../support/call.ts';
import { insertTestBank, type ManagerOptions } from '../support/factories.ts';
import type { TestService } from '../support/service.ts';
import {
  unitIds,
  updateUnit,
  unitKid,
  callSetUnitSetting,
  settingPath,
  readUnitRows,
  unitPath,
  type UnitIds,
} from '../support/unit-settings.ts';
import { callWithoutStorage } from '../support/without-storage.ts';
import { serviceSuite } from '../support/service-suite.ts';

type Operation = {
  readonly name: string;
  readonly needs: readonly string[];
  /** Of a success; 200 unless told otherwise. */
  readonly success?: number;
  readonly ask: (
    service: Pick<TestService, 'call'>,
    unit: UnitIds | string,
    token: string | undefined,
  ) => Promise<HttpReply>;
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
    name: 'GetUnitCommands',
    needs: reads,
    ask: ({ call }, unit, token) => call('GET', unitPath(unit, '/commands'), { token }),
  },
  {
    name: 'SendUnitCommand',
    success: 201,
    needs: [...reads, 'Unit.Write'],
    ask: ({ call }, unit, token) => call('POST', unitPath(unit, '/commands'), { token, body: { name: 'Restart' } }),
  },
  {
    name: 'SetUnitSetting',
    needs: [...reads, 'Unit.Write'],
    ask: (service, unit, token) => callSetUnitSetting(service, unit, 'OutOfOrder', false, { token }),
  },
];
const atLocation = (locationId: number, bankId = 1001): ManagerOptions => ({ grants: [{ bankId, locationId }] });

serviceSuite({ tenants: ['sund', 'fjord'], manager: false }, ({ service, issueToken }) => {
  before(async () => {
    await service.write('sund', async (db) => {
      await insertTestBank(db, { places: { 1: [1, 2], 2: [1], 3: [1] } });
      await insertTestBank(db, { bankId: 1002, deletedAt: 1 });
      await insertTestBank(db, { bankId: 1003 });
      await updateUnit(db, unitIds(1001, 1, 2), { deleted_at: 1 });
      await updateUnit(db, unitIds(1003, 1, 1), { enabled: 0 });
      await db
        .updateTable('locations')
        .set({ deleted_at: 1 })
        .where('bank_id', '=', 1001)
        .where('location_id', '=', 3)
        .execute();
    });
    await service.write('fjord', (db) => insertTestBank(db));
  });

  for (const { name, needs, success = 200, ask } of operations) {
    test(`[settings.03, settings.10] ${name}: any Tab, the permissions and a grant of the location are enough, and each is needed`, async () => {
      const held = permissions.filter((each) => needs.includes(each));
      for (const tab of tabs) {
        const least = { tabs: [tab], permissions: held, ...atLocation(1) };
        assert.equal((await ask(service, unitIds(), await issueToken(least))).status, success, tab);
      }
      const refused: [options: ManagerOptions, named: RegExp][] = [
        [{ tabs: [] }, /an assigned Tab/],
        ...needs.map((missing): [ManagerOptions, RegExp] => [
          { permissions: permissions.filter((each) => each !== missing) },
          new RegExp(`the permission ${missing.replace('.', String.raw`\.`)}\\.`),
        ]),
        [{ grants: [] }, /grant/],
      ];
      const stored = await readUnitRows(service);
      for (const [options, named] of refused) {
        const { status, json } = await ask(service, unitIds(), await issueToken(options));
        assert.deepEqual([status, json.code], [403, 'forbidden']);
        assert.match(json.detail, named);
      }
      for (const token of [undefined, 'unknown']) assert.equal((await ask(service, unitIds(), token)).status, 401);
      assert.deepEqual(await readUnitRows(service), stored);
    });

    test(`[auth.40, settings.10] ${name}: a unit that is missing, deleted or not visible gets the same refusal, byte for byte`, async () => {
      const cases: [options: ManagerOptions, units: UnitIds[]][] = [
        [
          {},
          [
            unitIds(1001, 1, 9),
            unitIds(1001, 1, 2),
            unitIds(1001, 3, 1),
            unitIds(1001, 9, 1),
            unitIds(1002, 1, 1),
            unitIds(9999, 1, 1),
          ],
        ],
        [
          atLocation(1),
          [unitIds(1001, 1, 9), unitIds(1001, 1, 2), unitIds(1001, 2, 1), unitIds(1001, 2, 9), unitIds(1003, 1, 1)],
        ],
        [atLocation(3), [unitIds(1001, 3, 1), unitIds(1001, 1, 1)]],
        [atLocation(1, 1002), [unitIds(1002, 1, 1), unitIds(1001, 1, 1)]],
        [atLocation(0, 1003), [unitIds(1001, 1, 1), unitIds(1002, 1, 1), unitIds(1003, 1, 9)]],
      ];
      const stored = await readUnitRows(service);
      const replies: HttpReply[] = [];
      for (const [options, units] of cases) {
        const token = await issueToken(options);
        for (const unit of units) replies.push(await ask(service, unit, token));
      }
      for (const { status, json } of replies) assert.deepEqual([status, json.code], [404, 'not-found']);
      assert.equal(new Set(replies.map(comparableRefusal)).size, 1);
      const plain = replies.map(
        ({ headers: { date: _date, 'x-request-id': _id, traceparent: _trace, ...others } }) => others,
      );
      for (const headers of plain) assert.deepEqual(headers, plain[0]);
      assert.deepEqual(await readUnitRows(service), stored, 'not even a version turns');
    });

    test(`${name}: a grant covers exactly its units, including disabled ones`, async () => {
      const units = [unitIds(), unitIds(1001, 2, 1), unitIds(1003, 1, 1), unitIds(1003, 2, 1)];
      const opened = async (options: ManagerOptions): Promise<string[]> => {
        const token = await issueToken(options);
        const replies = await Promise.all(units.map((unit) => ask(service, unit, token)));
        return units.filter((_, index) => replies[index]?.status === success).map(unitKid);
      };
      assert.deepEqual(await opened({}), units.map(unitKid));
      assert.deepEqual(await opened(atLocation(0)), units.slice(0, 2).map(unitKid));
      assert.deepEqual(await opened(atLocation(2)), ['sund-B1001-L2-U1']);
      assert.deepEqual(await opened({ grants: [...(atLocation(1).grants ?? []), { bankId: 1003, locationId: 2 }] }), [
        'sund-B1001-L1-U1',
        'sund-B1003-L2-U1',
      ]);
    });

    test(`${name}: a value that is not a KID of a unit of this tenant is 400 invalid-kid`, async () => {
      const token = await issueToken();
      const others = ['fjord-B1001-L1-U1', 'sund', 'sund-B1001', 'sund-B1001-L1', 'sund-B1001-R1001', 'sund-M1001'];
      const malformed = ['sund-B1001-L1-U01', 'sund-b1001-l1-u1', 'sund-B1001-L1-U0', 'sund-B1001-L1-U1-', 'x', '%20'];
      for (const kid of [...others, ...malformed, 'sund-B1001-L1-U2147483648', 'sund-B1001-L1-U1-D5']) {
        const { status, json } = await ask(service, kid, token);
        assert.deepEqual([status, json.code], [400, 'invalid-kid'], kid);
      }
    });

    test(`${name}: storage that cannot be reached is 503 storage-unavailable, until it can be`, async () => {
      const token = await issueToken();
      const once = (): Promise<HttpReply> => ask(service, unitIds(), token);
      assert.equal((await once()).status, success);
      const { status, json, headers } = await callWithoutStorage(service, once);
      assert.deepEqual([status, json.code, headers['retry-after']], [503, 'storage-unavailable', '10']);
      assert.equal((await once()).status, success);
    });
  }
});
