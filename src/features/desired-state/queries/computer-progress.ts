// How far a computer has come: the versions that stood in an answer, and those that it has applied.

import { sql } from 'kysely';
import type { Db, WriteDb } from '../../../database/db.ts';
import { createLock, type Lock } from '../../../database/locks.ts';
import type { GrantedBank } from '../../../permissions/coverage.ts';

type ComputerProgress = {
  readonly sent_version: number;
  readonly acknowledged_version: number;
  readonly digests_equal: number | null;
};

export async function readProgress(
  db: Db,
  { bankId }: GrantedBank,
  computerId: number,
): Promise<ComputerProgress | undefined> {
  return db
    .selectFrom('computer_states')
    .select(['sent_version', 'acknowledged_version', 'digests_equal'])
    .where('bank_id', '=', bankId)
    .where('computer_id', '=', computerId)
    .executeTakeFirst();
}

type Versions = { readonly sent?: number; readonly acknowledged?: number };

export const progressLock = (bank: GrantedBank, computerId: number, versions: Versions): Lock<void> =>
  createLock('computer-state', [bank.bankId, computerId], {
    update: (db) => advanceProgress(db, bank, computerId, versions),
  });

/** Versions only grow. */
export async function advanceProgress(
  db: WriteDb,
  { bankId }: GrantedBank,
  computerId: number,
  { sent = 0, acknowledged = 0 }: Versions,
): Promise<void> {
  await sql`update computer_states set
      sent_version = case when sent_version < ${sent} then ${sent} else sent_version end,
      acknowledged_version =
        case when acknowledged_version < ${acknowledged} then ${acknowledged} else acknowledged_version end
    where bank_id = ${bankId} and computer_id = ${computerId}`.execute(db);
}

export async function storeDigestsEqual(
  db: WriteDb,
  { bankId }: GrantedBank,
  computerId: number,
  isEqual: boolean,
): Promise<void> {
  await db
    .updateTable('computer_states')
    .set({ digests_equal: isEqual ? 1 : 0 })
    .where('bank_id', '=', bankId)
    .where('computer_id', '=', computerId)
    .execute();
}
