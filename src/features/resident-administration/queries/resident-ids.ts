// Allocates the ids of a bank's residents.

import type { WriteDb } from '../../../database/db.ts';
import { createLock, requireLock, type Lock } from '../../../database/locks.ts';
import { guestId } from '../../../lib/kid.ts';
import type { WholeGrantedBank } from '../../../permissions/coverage.ts';

/** Allocates the next id of the bank. Ids of a transaction that was rolled back are allocated again. */
export const residentIdsLock = (bank: WholeGrantedBank): Lock<number> =>
  createLock('resident-ids', [bank.bankId], {
    update: (db) => addAllocated(db, bank, 1),
    read: (db) => readLastId(db, bank),
  });

/** The lock of the ids, without one, for a write that finds out later how many it needs. */
export const laterResidentIdsLock = (bank: WholeGrantedBank): Lock<void> =>
  createLock('resident-ids', [bank.bankId], { update: (db) => addAllocated(db, bank, 0) });

/** Allocates so many ids under the lock. Returns the first; the others follow it. */
export async function allocateResidentIds(db: WriteDb, bank: WholeGrantedBank, count: number): Promise<number> {
  requireLock(db, laterResidentIdsLock(bank));
  const [, lastId] = await Promise.all([addAllocated(db, bank, count), readLastId(db, bank)]);
  return lastId - count + 1;
}

const addAllocated = (db: WriteDb, { bankId }: WholeGrantedBank, allocated: number): Promise<void> =>
  db.dialect.upsertRows(db, 'resident_heads', [{ bank_id: bankId, allocated }], {
    key: ['bank_id'],
    sum: ['allocated'],
  });

async function readLastId(db: WriteDb, { bankId }: WholeGrantedBank): Promise<number> {
  const { allocated } = await db
    .selectFrom('resident_heads')
    .select('allocated')
    .where('bank_id', '=', bankId)
    .executeTakeFirstOrThrow();
  return guestId + allocated;
}
