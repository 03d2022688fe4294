// The simulated device gateway: which queued records it delivers, on both engines.

import { sql } from 'kysely';
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { queueTestSync } from '../support/queued-syncs.ts';
import { openMigratedDatabases, readRows, type MigratedDatabases } from '../support/demo-database.ts';
import { insertTestBank } from '../support/factories.ts';
import { onBothEngines } from '../support/service.ts';
import { dayMs, hourMs } from '../support/times.ts';
import type { TenantDatabase } from '../../src/database/tenant-database.ts';
import type { SyncState } from '../../src/features/device-sync/rules/sync-state.ts';
import { createOperatorScope } from '../../src/permissions/scope.ts';
import { deliverRecords, listDueRecords } from '../../src/demo/simulator/device-gateway.ts';

const now = 800_000_000_000;
const deadlineMs = 30_000;
/** Long enough ago for queued records to be delivered. */
const before10s = now - 10_000;

const [online, silent, forgotten, unheard, deleted] = [1, 2, 3, 4, 5];

onBothEngines((engine) => {
  let opened: MigratedDatabases;
  let database: TenantDatabase;
  before(async () => {
    opened = await openMigratedDatabases(engine, 'sund');
    database = opened.databases.forTenant('sund');
    await database.write({ deadlineMs }, async (db) => {
      for (const [bankId, type] of [
        [1001, 1],
        [1002, 2],
      ] as const) {
        await insertTestBank(db, { bankId, places: { 1: [online, silent, forgotten, unheard, deleted] } });
        await db.updateTable('banks').set({ bank_type: type }).where('bank_id', '=', bankId).execute();
        for (const [unitId, last_contact_at] of [
          [online, now - hourMs + 2],
          [silent, now - hourMs],
          [forgotten, now - 120 * dayMs],
          [unheard, null],
          [deleted, now],
        ] as const)
          await db
            .updateTable('units')
            .set({ last_contact_at, deleted_at: unitId === deleted ? now : null })
            .where('bank_id', '=', bankId)
            .where('unit_id', '=', unitId)
            .execute();
      }
    });
  });
  after(() => opened.release());
  beforeEach(() =>
    database.write({ deadlineMs }, async (db) => {
      for (const table of ['device_sync', 'device_sync_heads'] as const) await db.deleteFrom(table).execute();
    }),
  );

  const queue = (unitId: number, at = before10s, bankId = 1001): Promise<number> =>
    database.write({ deadlineMs }, (db) =>
      queueTestSync(db, bankId, { subjectKind: 'setting', subjectId: 7, locationId: unitId === 0 ? 0 : 1, unitId }, at),
    );
  const turn = async (at = now): Promise<void> => {
    const due = await database.read({ deadlineMs }, (db) => listDueRecords(db, at));
    await database.write({ deadlineMs }, (db) => deliverRecords(db, createOperatorScope('sund'), due, at));
  };
  const stored = async (): Promise<string[]> => {
    const rows = await readRows(
      database,
      sql<{ text: string; state: SyncState; attempts: number; updated_at: number }>`
        select * from device_sync order by bank_id, sync_id`,
    );
    return rows.map(({ state, attempts, updated_at }) => `${state} ${attempts} ${updated_at}`);
  };
  const [arrived, waits] = [`acknowledged 1 ${now}`, `queued 0 ${before10s}`];

  test('records of online units and records without a unit are delivered; the rest waits', async () => {
    for (const unitId of [silent, online, forgotten, unheard, deleted, 0, online]) await queue(unitId);
    await turn();
    assert.deepEqual(await stored(), [waits, arrived, waits, waits, waits, arrived, arrived]);
    await turn(now + 1);
    assert.deepEqual(await stored(), [waits, arrived, waits, waits, waits, arrived, arrived]);
  });

  test("a unit is online by its bank's measure", async () => {
    for (const bankId of [1001, 1002]) await queue(silent, before10s, bankId);
    await turn();
    assert.deepEqual(await stored(), [waits, arrived]);
  });

  test('nothing is delivered in the first seconds after it was queued', async () => {
    await queue(online, now - 1999);
    await turn();
    assert.deepEqual(await stored(), [`queued 0 ${now - 1999}`]);
    await turn(now + 1);
    assert.deepEqual(await stored(), [`acknowledged 1 ${now + 1}`]);
  });

  test('a turn delivers a limited number of records, the oldest first, and skips those that wait', async () => {
    await database.write({ deadlineMs }, async (db) => {
      for (let at = 0; at < 120; at += 1)
        await queueTestSync(
          db,
          1001,
          { subjectKind: 'setting', subjectId: at, locationId: 1, unitId: at < 60 ? silent : online },
          before10s,
        );
    });
    const share = async (): Promise<number[]> => (await stored()).flatMap((text, at) => (text === arrived ? [at] : []));
    await turn();
    assert.deepEqual(
      await share(),
      Array.from({ length: 50 }, (_, at) => 60 + at),
    );
    await turn();
    assert.equal((await share()).length, 60);
  });

  test('records that were sent or have failed do not change', async () => {
    const states = ['sent', 'failed'] as const;
    for (const state of states) {
      const syncId = await queue(online);
      await database.write({ deadlineMs }, (db) =>
        db.updateTable('device_sync').set({ state }).where('sync_id', '=', syncId).execute(),
      );
    }
    await turn();
    assert.deepEqual(await stored(), [`sent 0 ${before10s}`, `failed 0 ${before10s}`]);
  });
});
