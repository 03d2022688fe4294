// The outbox: records are numbered in the order of their commits, belong to the transaction that made them, and are
// moved on by one gateway at a time.

import assert from 'node:assert/strict';
import { queueTestSync } from '../support/queued-syncs.ts';
import { grantBank } from '../support/granted-banks.ts';
import { test } from 'node:test';
import { takeLocks } from '../../src/database/locks.ts';
import {
  outboxLock,
  queueSyncs,
  updateSyncState,
  type QueueSyncInput,
} from '../../src/features/outbox/queries/outbox.ts';
import { isAllowedTransition, syncStates, type SyncState } from '../../src/features/outbox/rules/sync-state.ts';
import { serviceSuite } from '../support/service-suite.ts';

const createQueueSyncInput = (subjectId: number): QueueSyncInput => ({
  subjectKind: 'posting',
  subjectId,
  locationId: 1,
  unitId: 2,
});

test('a record is sent before it is acknowledged or fails, one that failed may be sent again, one that arrived is done', () => {
  const allowed = syncStates.flatMap((from) =>
    syncStates.filter((to) => isAllowedTransition(from, to)).map((to) => `${from} ${to}`),
  );
  assert.deepEqual(allowed, [
    'queued sent',
    'queued superseded',
    'queued expired',
    'sent acknowledged',
    'sent failed',
    'sent superseded',
    'sent expired',
    'failed sent',
    'failed superseded',
    'expired acknowledged',
    'expired failed',
  ]);
});

serviceSuite({ replicas: 2, manager: false }, ({ service, replicaFor }) => {
  const other = replicaFor(1);

  const queue = (bankId: number, subjectId: number, writer = service, now = 10): Promise<number> =>
    writer.write('sund', (db) => queueTestSync(db, bankId, createQueueSyncInput(subjectId), now));
  const listRecords = (bankId: number, state: SyncState) =>
    service.read('sund', (db) =>
      db
        .selectFrom('device_sync')
        .selectAll()
        .where('bank_id', '=', bankId)
        .where('state', '=', state)
        .orderBy('sync_id')
        .execute(),
    );
  const queued = async (bankId: number): Promise<number[]> =>
    (await listRecords(bankId, 'queued')).map(({ sync_id }) => sync_id);

  test('records of a bank are numbered without a gap, whichever process queues them, and kept in that order', async () => {
    const ids = await Promise.all(
      Array.from({ length: 30 }, (_, at) => queue(at % 3 === 0 ? 2 : 1, at, at % 2 === 0 ? service : other)),
    );
    const ofBank = (bankId: number): number[] => ids.filter((_, at) => (at % 3 === 0 ? 2 : 1) === bankId);
    for (const bankId of [1, 2]) {
      const taken = ofBank(bankId).toSorted((a, b) => a - b);
      assert.deepEqual(
        taken,
        taken.map((_, at) => at + 1),
      );
      assert.deepEqual(await queued(bankId), taken);
    }
    assert.deepEqual(await queued(3), []);
  });

  test('many records at once are the same as one after the other, also beside other writers', async () => {
    const records = Array.from({ length: 700 }, (_, at): QueueSyncInput => ({
      ...createQueueSyncInput(at),
      ...(at % 3 === 0 ? { subjectId: 'own-id' } : {}),
      ...(at % 5 === 0 ? { detail: { endedKeys: [`A${at}`] } } : {}),
    }));
    for (const count of [700, 1, 0]) {
      await service.write('sund', async (db) => {
        await takeLocks(db, [outboxLock(grantBank(11))]);
        await queueSyncs(db, grantBank(11), records.slice(0, count), 10);
      });
      for (const record of records.slice(0, count))
        await service.write('sund', (db) => queueTestSync(db, 12, record, 10));
    }
    const [together, single] = await Promise.all([listRecords(11, 'queued'), listRecords(12, 'queued')]);
    assert.equal(together.length, 701);
    assert.deepEqual(
      together.map(({ bank_id: _bank, ...row }) => row),
      single.map(({ bank_id: _bank, ...row }) => row),
    );
    const queueMany = (writer: typeof service): Promise<void> =>
      writer.write('sund', async (db) => {
        await takeLocks(db, [outboxLock(grantBank(13))]);
        await queueSyncs(db, grantBank(13), records.slice(0, 5), 10);
      });
    await Promise.all(Array.from({ length: 12 }, (_, at) => queueMany(at % 2 === 0 ? service : other)));
    assert.deepEqual(
      await queued(13),
      Array.from({ length: 60 }, (_, at) => at + 1),
    );
  });

  test('a record of a transaction that rolls back is not stored, and the next record gets its number', async () => {
    await queue(4, 1);
    const failing = service.write('sund', async (db) => {
      assert.equal(await queueTestSync(db, 4, createQueueSyncInput(2), 10), 2);
      throw new Error('changed its mind');
    });
    await assert.rejects(failing, /changed its mind/);
    assert.deepEqual(await queued(4), [1]);
    assert.equal(await queue(4, 3), 2);
  });

  test('of concurrent attempts one moves a record on, each sending is counted, and its time is stored', async () => {
    const bankId = 5;
    const syncId = await queue(bankId, 1);
    const move = (from: SyncState, to: SyncState, now: number, writer = service): Promise<boolean> =>
      writer.write('sund', (db) => updateSyncState(db, grantBank(bankId), { syncId, from, to }, now));
    const tried = await Promise.all(
      [service, other, service, other].map((writer) => move('queued', 'sent', 20, writer)),
    );
    assert.equal(tried.filter((each) => each).length, 1);
    assert.equal(await move('sent', 'failed', 30), true);
    assert.equal(await move('failed', 'sent', 40), true);
    assert.equal(await move('sent', 'acknowledged', 50), true);
    const [row] = await listRecords(bankId, 'acknowledged');
    assert.deepEqual([row?.attempts, row?.created_at, row?.updated_at], [2, 10, 50]);
    assert.equal(await move('sent', 'failed', 60), false);
    await assert.rejects(move('acknowledged', 'sent', 60), /cannot change from acknowledged to sent/);
    assert.deepEqual(await queued(bankId), []);
  });
});
