// GetTenantStatusPage: pages of one snapshot, the cursors between them, and where a first page begins.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { TenantStatusPage } from '../../src/features/tenant-status/schemas.ts';
import type { CallOptions, HttpReply } from '../support/call.ts';
import { createToken } from '../support/factories.ts';
import { mockMonotonicClock } from '../support/instances.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { dayMs, hourMs, testNow } from '../support/times.ts';
import {
  alertsOf,
  deletePlaces,
  insertBankOfUnits,
  pageTarget,
  readStatusPage,
  readTenantStatus,
  settingRow,
  statusPath,
} from './support/status-units.ts';

const units = 60;
/** The first unit has the latest last contact. */
const silent = Array.from({ length: units }, (_, at) => ({ last_contact_at: testNow - 2 * dayMs - at * hourMs }));
const broken = [5, 10, 15];

serviceSuite({ now: testNow, tenants: ['sund', 'fjord'] }, ({ service, manager, issueToken, clock }) => {
  beforeEach(async () => {
    await service.write('sund', async (db) => {
      await deletePlaces(db);
      await insertBankOfUnits(db, 1001, { 1: silent });
      for (const unitId of broken)
        await db
          .insertInto('unit_settings')
          .values(settingRow({ bankId: 1001, locationId: 1, unitId }, ['AutoOutOfOrder', '5', testNow - unitId]))
          .execute();
    });
  });
  const expected = [
    ...broken.map((unitId) => `AutoOutOfOrder:sund-B1001-L1-U${unitId}`),
    ...silent.map((_unit, at) => `Offline:sund-B1001-L1-U${at + 1}`),
  ];
  type PageQuery = Record<string, string | number>;
  const get = (query: PageQuery = {}, options: CallOptions = manager): Promise<HttpReply> =>
    service.call('GET', pageTarget(query), options);
  const read = (query: PageQuery = {}, options: CallOptions = manager): Promise<TenantStatusPage> =>
    readStatusPage(service, options, query);
  const shown = ({ status }: TenantStatusPage): string[] => alertsOf(status);
  const cursorOf = ({ nextCursor }: TenantStatusPage): string => nextCursor ?? assert.fail('there is no next page');

  async function refused(
    query: PageQuery,
    expectedReply: [status: number, code: string],
    options: CallOptions = manager,
  ) {
    const { status, json } = await get(query, options);
    assert.deepEqual([status, json.code], expectedReply, JSON.stringify(query));
  }

  test('[status.23, status.25, status.31] a page has the envelope of GetTenantStatus, whose sources count the whole snapshot', async () => {
    const whole = await readTenantStatus(service, manager);
    const { status, headers, json } = await get({ pageSize: 4, offset: 2 });
    assert.equal(status, 200);
    assert.equal(headers['cache-control'], 'no-store');
    assert.deepEqual(Object.keys(json), ['status', 'offset', 'totalCount', 'previousCursor', 'nextCursor']);
    assert.deepEqual(json.status, { ...whole, items: whole.items.slice(2, 6) });
    assert.deepEqual([json.offset, json.totalCount], [2, 63]);
    assert.deepEqual(
      json.status.sources.map(({ count }: { count: number }) => count),
      [60, 3, 0, 0, 0],
    );
    assert.equal(typeof json.previousCursor, 'string');
    assert.equal(typeof json.nextCursor, 'string');
  });

  test('[status.33] GetTenantStatus has its own parameter and answer, and reads anew while there are snapshots', async () => {
    const cursor = cursorOf(await read());
    await service.write('sund', (db) => db.deleteFrom('unit_settings').execute());
    const { json } = await service.call('GET', `${statusPath}?limit=1000`, manager);
    assert.deepEqual(Object.keys(json), ['measuredAtUtc', 'refreshAfterSeconds', 'sources', 'items']);
    assert.deepEqual(alertsOf(json), expected.slice(broken.length));
    for (const query of [`cursor=${cursor}`, 'pageSize=25', 'offset=0', 'anchor=Offline:sund-B1001-L1-U1']) {
      const refusal = await service.call('GET', `${statusPath}?${query}`, manager);
      assert.deepEqual([refusal.status, refusal.json.code], [400, 'invalid-request'], query);
    }
    assert.equal((await read({ cursor })).totalCount, expected.length);
  });

  test('[status.24] a page has 25 rows by default, and 1 to 100; offset is 0 to 1999', async () => {
    assert.deepEqual(shown(await read()), expected.slice(0, 25));
    for (const pageSize of [1, 2, 62, 63, 100])
      assert.deepEqual(shown(await read({ pageSize })), expected.slice(0, pageSize));
    const invalid: PageQuery[] = ['0', '101', '-1', '1.5', 'all', ''].map((pageSize) => ({ pageSize }));
    invalid.push(...['-1', '2000', '1.5', 'x', ''].map((offset) => ({ offset })));
    invalid.push({ limit: 5 }, { anchor: '' }, { cursor: '' });
    for (const query of invalid) await refused(query, [400, 'invalid-page']);
    for (const offset of [0, 1999]) assert.equal((await get({ offset })).status, 200);
  });

  test('[status.30] following the cursors shows every row once while rows are added, deleted and changed', async () => {
    const pages = [await read({ pageSize: 7 })];
    for (let at = 0; pages.at(-1)?.nextCursor; at += 1) {
      await service.write('sund', async (db) => {
        // What was last comes first, what is on the next page goes, and there are more.
        await db
          .updateTable('units')
          .set({ last_contact_at: testNow - dayMs })
          .where('unit_id', '=', units - at)
          .execute();
        await db
          .updateTable('units')
          .set({ last_contact_at: testNow })
          .where('unit_id', '=', 7 * at + 6)
          .execute();
        await db
          .updateTable('unit_settings')
          .set({ value: at % 2 === 0 ? '0' : '9' })
          .execute();
        await insertBankOfUnits(db, 2001 + at, { 1: [{ last_contact_at: testNow - 2 * dayMs - at * hourMs }] });
        await db
          .updateTable('banks')
          .set({ name: `Renamed ${at}` })
          .execute();
      });
      pages.push(await read({ pageSize: 7, cursor: cursorOf(pages.at(-1)!) }));
    }
    assert.equal(pages.length, 9);
    assert.deepEqual(pages.flatMap(shown), expected);
    assert.deepEqual(
      new Set(pages.flatMap(({ status }) => status.items.map(({ bankName }) => bankName))),
      new Set(['Bank 1001']),
    );
    for (const [at, { offset, totalCount, status }] of pages.entries()) {
      assert.deepEqual([offset, totalCount], [7 * at, 63]);
      assert.deepEqual({ ...status, items: [] }, { ...pages[0]?.status, items: [] });
    }
    // And back again.
    const last = pages.at(-1)!;
    let previous = last.previousCursor;
    for (const page of pages.slice(0, -1).toReversed()) {
      const again = await read({ pageSize: 7, cursor: previous ?? assert.fail('there is no page before') });
      assert.deepEqual(again, page);
      previous = again.previousCursor;
    }
    assert.equal(previous, null);
    // A new first page reads anew.
    assert.notDeepEqual(shown(await read({ pageSize: 100 })), expected);
  });

  test('[status.30] a snapshot has the newest 1000 rows of each source', async () => {
    await service.write('sund', async (db) => {
      const many = Array.from({ length: 1005 }, () => ({ last_contact_at: testNow - 30 * dayMs }));
      await insertBankOfUnits(db, 1002, { 1: many });
      const bulk = many.map((_unit, at) =>
        settingRow({ bankId: 1002, locationId: 1, unitId: at + 1 }, ['AutoOutOfOrder', '7', testNow - dayMs]),
      );
      for (const row of bulk) await db.insertInto('unit_settings').values(row).execute();
    });
    const found: string[] = [];
    let page = await read({ pageSize: 100 });
    assert.deepEqual(
      page.status.sources.slice(0, 2).map(({ count, hasMore }) => [count, hasMore]),
      [
        [1000, true],
        [1000, true],
      ],
    );
    assert.equal(page.totalCount, 2000);
    for (;;) {
      found.push(...shown(page));
      if (page.nextCursor === null) break;
      page = await read({ pageSize: 100, cursor: page.nextCursor });
    }
    assert.equal(found.length, 2000);
    assert.equal(new Set(found).size, 2000);
    assert.equal(page.offset, 1900);
    assert.deepEqual(found, alertsOf(await readTenantStatus(service, manager)));
    assert.equal((await read({ offset: 1999 })).offset, 1999);
  });

  test('[status.28] a first page begins at the row of its anchor, whatever the offset', async () => {
    for (const [anchor, offset] of [
      ['AutoOutOfOrder:sund-B1001-L1-U5', 0],
      ['AutoOutOfOrder:sund-B1001-L1-U10', 1],
      ['Offline:sund-B1001-L1-U10', 12],
      ['Offline:sund-B1001-L1-U60', 62],
    ] as const)
      for (const query of [{}, { offset: 40 }]) {
        const page = await read({ anchor, pageSize: 5, ...query });
        assert.deepEqual(shown(page), expected.slice(offset, offset + 5));
        assert.equal(page.offset, offset);
        if (offset === 0) assert.equal(page.previousCursor, null);
        else {
          const before = await read({ cursor: page.previousCursor ?? '', pageSize: 5 });
          assert.deepEqual(shown(before), expected.slice(Math.max(0, offset - 5), offset));
          assert.deepEqual(shown(await read({ cursor: cursorOf(before), pageSize: 5 })), shown(page));
        }
      }
  });

  test('[status.29] where the row of the anchor has vanished or is not authorised, the offset decides', async () => {
    const gone = ['Offline:sund-B1001-L1-U61', 'Offline:sund-B9-L1-U1', 'AutoOutOfOrder:sund-B1001-L1-U6'];
    for (const anchor of gone)
      for (const [offset, begins] of [
        [undefined, 0],
        [0, 0],
        [7, 7],
        [62, 62],
        [63, 62],
        [1999, 62],
      ] as const) {
        const page = await read({ anchor, pageSize: 5, ...(offset === undefined ? {} : { offset }) });
        assert.equal(page.offset, begins);
        assert.deepEqual(shown(page), expected.slice(begins, begins + 5));
      }
    await service.write('sund', (db) => insertBankOfUnits(db, 1002, { 1: [silent[0]!] }));
    const token = await issueToken({ grants: [{ bankId: 1001, locationId: 0 }] });
    const { offset, totalCount } = await read({ anchor: 'Offline:sund-B1002-L1-U1', offset: 9 }, { token });
    assert.deepEqual([offset, totalCount], [9, 63]);
    const first = await read({ anchor: 'Offline:sund-B1002-L1-U1', offset: 9 });
    assert.equal(shown(first)[0], 'Offline:sund-B1002-L1-U1');
  });

  test('a snapshot without rows has one empty page', async () => {
    await service.write('sund', deletePlaces);
    for (const query of [{}, { offset: 7 }, { anchor: 'Offline:sund-B1001-L1-U1', offset: 1999 }]) {
      const { status, ...page } = await read(query);
      assert.deepEqual(page, { offset: 0, totalCount: 0, previousCursor: null, nextCursor: null });
      assert.deepEqual(status.items, []);
    }
  });

  test('[status.26] a cursor with an anchor or an offset, an altered one and one that was made up are 400', async () => {
    const cursor = cursorOf(await read());
    const combined: PageQuery[] = [{ offset: 0 }, { offset: 25 }, { anchor: 'Offline:sund-B1001-L1-U1' }];
    for (const query of combined) await refused({ cursor, ...query }, [400, 'invalid-page']);
    const altered = [0, 40, 60, cursor.length - 1].map(
      (at) => cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1),
    );
    for (const text of [
      ...altered,
      `${cursor}A`,
      cursor.slice(1),
      'x',
      'null',
      '0',
      'A'.repeat(cursor.length),
      'x'.repeat(513),
    ])
      await refused({ cursor: text }, [400, 'invalid-page']);
    assert.equal((await get({ cursor })).status, 200);
    const anchors = [
      'sund-B1001-L1-U1',
      'Online:sund-B1001-L1-U1',
      'Offline:sund-B1001',
      'Offline:fjord-B1001-L1-U1',
      'Offline:',
    ];
    for (const anchor of anchors) await refused({ anchor }, [400, 'invalid-page']);
  });

  test('a cursor of another tenant is 400, and one of another environment 409', async () => {
    await service.write('fjord', async (db) => {
      await deletePlaces(db);
      await insertBankOfUnits(db, 1001, { 1: silent });
    });
    const token = await issueToken({ tenant: 'fjord' });
    const host = 'api.fjord.localhost';
    const { json } = await get({}, { token, host });
    assert.equal(json.totalCount, units);
    await refused({ cursor: json.nextCursor }, [400, 'invalid-page']);
    const beta = { token: await issueToken({ environment: 'beta' }), host: 'beta.api.sund.localhost' };
    await refused({ cursor: cursorOf(await read()) }, [409, 'status-context-changed'], beta);
  });

  test('[status.27] a cursor with another page size, language or manager is 409, and its own still works', async () => {
    const cursor = cursorOf(await read());
    const danish = { ...manager, headers: { 'accept-language': 'da' } };
    await refused({ cursor, pageSize: 24 }, [409, 'status-context-changed']);
    await refused({ cursor, pageSize: 26 }, [409, 'status-context-changed']);
    await refused({ cursor }, [409, 'status-context-changed'], danish);
    await refused({ cursor }, [409, 'status-context-changed'], { token: await issueToken() });
    // What prefers the same language is the same context, and so is another session of the manager.
    for (const language of ['en', 'en-GB, da;q=0.5', 'xx'])
      assert.equal(
        (await get({ cursor, pageSize: 25 }, { ...manager, headers: { 'accept-language': language } })).status,
        200,
      );
    const ofDanish = await read({}, danish);
    await refused({ cursor: cursorOf(ofDanish) }, [409, 'status-context-changed']);
    assert.equal((await get({ cursor: cursorOf(ofDanish) }, danish)).status, 200);
  });

  test('[status.27] rights are checked before the snapshot: lost grants are 409, a lost permission 403', async () => {
    const monotonic = mockMonotonicClock();
    try {
      const grants = [1001, 1002].map((bankId) => ({ bankId, locationId: 0 }));
      const { token, managerId } = await createToken(service, { grants });
      const cursor = cursorOf(await read({}, { token }));
      await service.write('sund', (db) =>
        db.deleteFrom('manager_grants').where('manager_id', '=', managerId).where('bank_id', '=', 1002).execute(),
      );
      assert.equal((await get({ cursor }, { token })).status, 200);
      // A snapshot of rights is at most a minute old.
      monotonic.advance(60_000);
      await refused({ cursor }, [409, 'status-context-changed'], { token });
      await service.write('sund', (db) =>
        db
          .deleteFrom('manager_permissions')
          .where('manager_id', '=', managerId)
          .where('permission', '=', 'Unit.Read')
          .execute(),
      );
      monotonic.advance(60_000);
      for (const query of [{ cursor }, { cursor: 'x' }]) await refused(query, [403, 'missing-unit-read'], { token });
    } finally {
      monotonic.restore();
    }
  });

  test('[status.32] a snapshot is kept for two minutes, and a fresh first page works after it', async () => {
    const cursor = cursorOf(await read());
    clock.now = testNow + 120_000;
    assert.equal((await get({ cursor })).status, 200);
    clock.now = testNow + 120_001;
    await refused({ cursor }, [410, 'status-snapshot-expired']);
    const fresh = await read();
    assert.equal(fresh.status.measuredAtUtc, '2026-06-15T09:32:00.001Z');
    assert.equal((await get({ cursor: cursorOf(fresh) })).status, 200);
    await refused({ cursor }, [410, 'status-snapshot-expired']);
  });

  test('[status.32] a manager has 8 snapshots: of more, the one used least recently is dropped, and no other manager’s', async () => {
    const other = { token: await issueToken() };
    const ofOther = cursorOf(await read({}, other));
    const cursors: string[] = [];
    for (let at = 0; at < 8; at += 1) cursors.push(cursorOf(await read()));
    for (const cursor of cursors) assert.equal((await get({ cursor })).status, 200);
    await get({ cursor: cursors[0]! });
    const ninth = cursorOf(await read());
    await refused({ cursor: cursors[1]! }, [410, 'status-snapshot-expired']);
    for (const cursor of [cursors[0]!, ...cursors.slice(2), ninth]) assert.equal((await get({ cursor })).status, 200);
    assert.equal((await get({ cursor: ofOther }, other)).status, 200);
  });
});
