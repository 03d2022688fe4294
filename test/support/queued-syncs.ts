// Queues records for devices without the operation that would do so.

import type { LockableDb } from '../../src/database/db.ts';
import { takeLocks } from '../../src/database/locks.ts';
import { outboxLock, queueSync, type QueueSyncInput } from '../../src/features/outbox/queries/outbox.ts';
import { grantBank } from './granted-banks.ts';

export async function queueTestSync(
  db: LockableDb,
  bankId: number,
  record: QueueSyncInput,
  now: number,
): Promise<number> {
  await takeLocks(db, [outboxLock(grantBank(bankId))]);
  return queueSync(db, grantBank(bankId), record, now);
}
