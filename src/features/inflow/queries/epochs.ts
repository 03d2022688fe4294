// Begins the epochs of streams, and remembers the former ones.

import type { Db, WriteDb } from '../../../database/db.ts';
import { requireLock } from '../../../database/locks.ts';
import { streamLock, type StreamKey, type StreamRow } from './streams.ts';

/** Whether the stream had this epoch before the present one. */
export async function isFormerEpoch(db: Db, { bank, computerId, stream }: StreamKey, epoch: string): Promise<boolean> {
  const row = await db
    .selectFrom('former_epochs')
    .select('epoch_number')
    .where('bank_id', '=', bank.bankId)
    .where('computer_id', '=', computerId)
    .where('stream', '=', stream)
    .where('epoch', '=', epoch)
    .executeTakeFirst();
  return row !== undefined;
}

type BeginEpochInput = { readonly epoch: string; readonly reason: string; readonly now: number };

/** Ends the present epoch of a stream that this transaction has locked, and begins another one with no line. */
export async function beginEpoch(
  db: WriteDb,
  key: StreamKey,
  present: StreamRow,
  { epoch, reason, now }: BeginEpochInput,
): Promise<void> {
  requireLock(db, streamLock(key));
  const { writes: _writes, received_at: _received, ...former } = present;
  if (present.epoch !== '')
    await db
      .insertInto('former_epochs')
      .values({ ...former, ended_at: now, reason })
      .execute();
  await db
    .updateTable('computer_streams')
    .set({ epoch, epoch_number: present.epoch_number + 1, through: 0, booked: 0, held: 0, other: 0 })
    .where('bank_id', '=', key.bank.bankId)
    .where('computer_id', '=', key.computerId)
    .where('stream', '=', key.stream)
    .execute();
}
