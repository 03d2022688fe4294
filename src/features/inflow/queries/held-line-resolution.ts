// Locks a held line, and stores what became of it.

import { sql } from 'kysely';
import type { WriteDb } from '../../../database/db.ts';
import { createLock, requireLock, type Lock } from '../../../database/locks.ts';
import type { WholeGrantedBank } from '../../../permissions/coverage.ts';
import type { HeldState } from '../rules/held-codes.ts';
import type { HeldLineRow } from './held-lines.ts';

/** Every write to a held line declares it: a line is resolved once. */
export const heldLineLock = ({ bankId }: WholeGrantedBank, heldId: number): Lock<void> =>
  createLock('held-line', [bankId, heldId], {
    update: (db) =>
      db
        .updateTable('held_lines')
        .set({ revision: sql<number>`revision` })
        .where('bank_id', '=', bankId)
        .where('held_id', '=', heldId)
        .execute(),
  });

type Resolution = {
  readonly state: HeldState;
  readonly postingId: number | null;
  readonly reason: string | null;
  readonly managerId: number;
  readonly now: number;
};

/** Returns the row after the change. */
export async function resolveHeldLineRow<R extends HeldLineRow>(
  db: WriteDb,
  bank: WholeGrantedBank,
  row: R,
  { state, postingId, reason, managerId, now }: Resolution,
): Promise<R> {
  requireLock(db, heldLineLock(bank, row.held_id));
  const changed = {
    state,
    posting_id: postingId,
    reason: reason ?? row.reason,
    resolved_at: now,
    resolved_by: managerId,
    revision: row.revision + 1,
  };
  await db
    .updateTable('held_lines')
    .set(changed)
    .where('bank_id', '=', bank.bankId)
    .where('held_id', '=', row.held_id)
    .execute();
  return { ...row, ...changed };
}
