// Counts the changes to a bank's residents. What shows identities, and what is cached of it, turns with the count.

import type { WriteDb } from '../../../database/db.ts';
import type { GrantedBank } from '../../../permissions/coverage.ts';

/** The topic of commits that changed residents of a bank. */
export const residentsTopic = (bankId: number): string => `residents/${bankId}`;

/**
 * Announces a change to residents of the bank, and locks them for the rest of the transaction. It is the first statement
 * of every write that changes what others show of one, after the lock of the outbox and before all other lock rows: what the transaction
 * read before the lock could be out of date.
 */
export async function touchResidents(db: WriteDb, { bankId }: GrantedBank): Promise<void> {
  db.changedTopics.add(residentsTopic(bankId));
  await db
    .updateTable('banks')
    .set((eb) => ({ residents_version: eb('residents_version', '+', 1) }))
    .where('bank_id', '=', bankId)
    .execute();
}
