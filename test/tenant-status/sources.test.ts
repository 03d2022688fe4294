// The sources of the tenant status when storage is in trouble: one that fails leaves the others as they are, all are read
// at the same time, and end after twelve seconds.

import { sql } from 'kysely';
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { HttpReply } from '../support/call.ts';
import { measureMs, waitUntil } from '../support/async.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { dayMs, testNow } from '../support/times.ts';
import { callWithoutStorage } from '../support/without-storage.ts';
import { busySqliteThreads } from '../database/support/sqlite-threads.ts';
import { openStorageAdmin, type StorageAdmin } from './support/damaged-storage.ts';
import {
  alertsOf,
  deletePlaces,
  insertStatusUnit,
  pageTarget,
  pagePath,
  quietComputerSources,
  statusPath,
} from './support/status-units.ts';

const paths = [statusPath, pagePath];
const statusOf = ({ json }: HttpReply) => json.status ?? json;
const unit = 'sund-B1001-L1-U1';

serviceSuite({ now: testNow, tenants: ['sund', 'fjord'] }, ({ engine, service, manager, issueToken, onStop }) => {
  const admins: Record<string, StorageAdmin> = {};
  let ofFjord: { readonly token: string; readonly host: string };
  before(async () => {
    for (const tenant of ['sund', 'fjord']) {
      const admin = await openStorageAdmin(service, tenant);
      admins[tenant] = admin;
      onStop(admin.close);
      await service.write(tenant, async (db) => {
        await deletePlaces(db);
        await insertStatusUnit(db, 1001, {
          unit: { last_contact_at: testNow - 2 * dayMs },
          settings: [['AutoOutOfOrder', '5', testNow - dayMs]],
        });
      });
    }
    ofFjord = { token: await issueToken({ tenant: 'fjord' }), host: 'api.fjord.localhost' };
  });
  const sund = (): StorageAdmin => admins['sund'] ?? assert.fail('there is no session');
  const fjord = (): StorageAdmin => admins['fjord'] ?? assert.fail('there is no session');

  async function whileDamaged(damage: string, repair: string, work: () => Promise<void>): Promise<void> {
    await sund().run(damage);
    try {
      await work();
    } finally {
      await sund().run(repair);
    }
  }

  const failed = (kind: string) => ({ kind, count: 0, hasMore: false, errorCode: 'status-source-unavailable' });
  const complete = (kind: string) => ({ kind, count: 1, hasMore: false, errorCode: null });

  async function assertWhole(): Promise<void> {
    for (const path of paths) {
      const { sources, items } = statusOf(await service.call('GET', path, manager));
      assert.deepEqual(sources, [complete('Offline'), complete('AutoOutOfOrder'), ...quietComputerSources]);
      assert.deepEqual(alertsOf({ items }), [`AutoOutOfOrder:${unit}`, `Offline:${unit}`]);
    }
  }

  test('[status.21] a failed source has its error code, count 0 and no items inside a 200, and the others are complete', async () => {
    await assertWhole();
    const table: [damage: string, repair: string, failing: string, standing: string][] = [
      [
        'alter table units rename column last_contact_at to moved',
        'alter table units rename column moved to last_contact_at',
        'Offline',
        'AutoOutOfOrder',
      ],
      [
        'alter table unit_settings rename to moved_settings',
        'alter table moved_settings rename to unit_settings',
        'AutoOutOfOrder',
        'Offline',
      ],
    ];
    for (const [damage, repair, failing, standing] of table)
      await whileDamaged(damage, repair, async () => {
        for (const path of paths) {
          const reply = await service.call('GET', path, manager);
          assert.equal(reply.status, 200);
          const { sources, items } = statusOf(reply);
          assert.deepEqual(sources, [
            ...['Offline', 'AutoOutOfOrder'].map((kind) => (kind === failing ? failed(kind) : complete(kind))),
            ...quietComputerSources,
          ]);
          assert.deepEqual(alertsOf({ items }), [`${standing}:${unit}`]);
          if (path === pagePath) assert.equal(reply.json.totalCount, 1);
        }
      });
    await assertWhole();
  });

  test('a request for one kind reads and returns its source alone', async () => {
    const ofKind = (kind: string) => service.call('GET', `${statusPath}?kind=${kind}`, manager);
    await whileDamaged(
      'alter table unit_settings rename to moved_settings',
      'alter table moved_settings rename to unit_settings',
      async () => {
        const { json } = await ofKind('Offline');
        assert.deepEqual([json.sources, alertsOf(json)], [[complete('Offline')], [`Offline:${unit}`]]);
        const broken = await ofKind('AutoOutOfOrder');
        assert.deepEqual([broken.status, broken.json.code], [503, 'tenant-status-unavailable']);
      },
    );
    const { json } = await ofKind('AutoOutOfOrder');
    assert.deepEqual([json.sources, alertsOf(json)], [[complete('AutoOutOfOrder')], [`AutoOutOfOrder:${unit}`]]);
    const unknown = await ofKind('Nothing');
    assert.deepEqual([unknown.status, unknown.json.code], [400, 'invalid-request']);
  });

  test('a failed source about computers leaves the others as they are', async () => {
    const table: [damaged: string, failing: string][] = [
      ['held_lines', 'HeldLines'],
      ['device_sync', 'SyncStale'],
    ];
    for (const [damaged, failing] of table)
      await whileDamaged(
        `alter table ${damaged} rename to moved_table`,
        `alter table moved_table rename to ${damaged}`,
        async () => {
          const { status, json } = await service.call('GET', statusPath, manager);
          assert.equal(status, 200);
          assert.deepEqual(
            json.sources.slice(2),
            quietComputerSources.map((source) => (source.kind === failing ? failed(failing) : source)),
          );
          assert.equal(json.items.length, 2);
        },
      );
    await assertWhole();
  });

  test('a failed source is logged with its kind, only for its tenant', async () => {
    const { liveLog } = service.dependencies;
    const failures = (tenant: string) =>
      liveLog.list(tenant).filter(({ messageTemplate }) => messageTemplate.includes('tenant status'));
    const earlier = failures('sund').length;
    const traceId = 'c0ffee'.padEnd(32, '7');
    const headers = { traceparent: `00-${traceId}-${'b'.repeat(16)}-01` };
    await whileDamaged(
      'alter table unit_settings rename to moved_settings',
      'alter table moved_settings rename to unit_settings',
      async () => {
        assert.equal((await service.call('GET', statusPath, { ...manager, headers })).status, 200);
      },
    );
    const [newest, ...others] = failures('sund');
    assert.equal(others.length, earlier);
    assert.deepEqual(
      [newest?.level, newest?.messageTemplate, newest?.fields, newest?.traceId, newest?.tenant],
      ['Error', 'a source of the tenant status failed ({kind})', { kind: 'AutoOutOfOrder' }, traceId, 'sund'],
    );
    assert.deepEqual(failures('fjord'), []);
  });

  test('[status.21] a snapshot that was read while a source failed says so on every page, also when the source works again', async () => {
    await service.write('sund', async (db) => {
      for (const bankId of [1002, 1003])
        await insertStatusUnit(db, bankId, { unit: { last_contact_at: testNow - 3 * dayMs } });
    });
    let cursor: string | undefined;
    await whileDamaged(
      'alter table unit_settings rename to moved_settings',
      'alter table moved_settings rename to unit_settings',
      async () => {
        const { json } = await service.call('GET', pageTarget({ pageSize: 2 }), manager);
        cursor = json.nextCursor;
      },
    );
    const { json } = await service.call('GET', pageTarget({ pageSize: 2, cursor: cursor ?? '' }), manager);
    assert.deepEqual(json.status.sources[1], failed('AutoOutOfOrder'));
    assert.deepEqual([json.offset, json.totalCount], [2, 3]);
    await service.write('sund', async (db) => {
      for (const name of ['units', 'locations', 'banks'] as const)
        await db.deleteFrom(name).where('bank_id', 'in', [1002, 1003]).execute();
    });
  });

  test('[status.22] if no source can be read, the answer is 503 tenant-status-unavailable', async () => {
    await whileDamaged(
      'alter table units rename to moved_units',
      'alter table moved_units rename to units',
      async () => {
        for (const path of paths) {
          const { status, json, headers } = await service.call('GET', path, manager);
          assert.deepEqual([status, json.code], [503, 'tenant-status-unavailable']);
          assert.match(headers['retry-after'] ?? '', /^[1-9]\d*$/);
          assert.doesNotMatch(JSON.stringify(json), /units|table|select/);
        }
      },
    );
    await assertWhole();
  });

  test('[status.22] storage that is away is 503 tenant-status-unavailable, until it is back', async () => {
    const { status, json } = await callWithoutStorage(service, () => service.call('GET', statusPath, manager), 'units');
    assert.deepEqual([status, json.code], [503, 'tenant-status-unavailable']);
    await waitUntil('storage is back', async () => (await service.call('GET', statusPath, manager)).status === 200);
    await assertWhole();
  });

  test('[status.20, status.21] the lookups run at the same time, and end after twelve seconds', async () => {
    // One source of one tenant hangs, and all of the other one: on SQLite two, while the others wait for its readers.
    await sund().hang('unit_settings');
    await fjord().hang('units', 'unit_settings');
    const hanging = engine === 'sqlite' ? 3 : 6;
    let replies: { readonly partly: HttpReply; readonly none: HttpReply } | undefined;
    const ask = async (): Promise<void> => {
      const [partly, none] = await Promise.all([
        service.call('GET', statusPath, manager),
        service.call('GET', statusPath, ofFjord),
      ]);
      replies = { partly, none };
    };
    try {
      const asked = measureMs(ask());
      await waitUntil('the lookups hang at the same time', async () => (await countHangingReads()) === hanging, 10_000);
      const ms = await asked;
      assert.ok(ms > 11_800 && ms < 16_000, `after ${ms} ms`);
    } finally {
      await sund().release();
      await fjord().release();
    }
    const { partly, none } = replies ?? assert.fail('there is no reply');
    assert.equal(partly.status, 200);
    assert.deepEqual(partly.json.sources, [complete('Offline'), failed('AutoOutOfOrder'), ...quietComputerSources]);
    assert.deepEqual(alertsOf(partly.json), [`Offline:${unit}`]);
    assert.deepEqual([none.status, none.json.code], [503, 'tenant-status-unavailable']);
    await assertWhole();
    assert.equal((await service.call('GET', statusPath, ofFjord)).status, 200);
  });

  async function countHangingReads(): Promise<number> {
    const { storage } = service.dependencies.config;
    if (engine === 'sqlite' || storage.engine === 'sqlite') return busySqliteThreads();
    const rows = await service.dependencies.databases.forTenant('sund').read({ deadlineMs: 5000 }, async (db) => {
      const list = sql<{ n: number }>`select count(*) as n from information_schema.processlist
        where db like ${`${storage.prefix}%`} and info like 'select%units%' and info not like '%processlist%'`;
      return (await list.execute(db)).rows;
    });
    return Number(rows[0]?.n);
  }
});
