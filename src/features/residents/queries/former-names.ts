// Keeps the names with which settlement periods were closed, so that a settlement stays the same when a resident gets
// another name.

import type { Db, WriteDb } from '../../../database/db.ts';
import type { GrantedBank } from '../../../permissions/coverage.ts';
import { readResidentIdentities, type ResidentIdentities } from './identities.ts';

export type FormerName = {
  readonly residentId: number;
  /** The name before the change. */
  readonly name: string;
};

/**
 * Keeps the name that a resident has until now for the periods that are closed. Runs after touchResidents in the
 * transaction that changes the name: closing a period takes the same lock, so that no period is closed between the two.
 */
export async function keepFormerName(
  db: WriteDb,
  { bankId }: GrantedBank,
  { residentId, name }: FormerName,
): Promise<void> {
  const lastClosedPeriod = await findLastClosedPeriod(db, bankId);
  if (lastClosedPeriod === undefined) return;
  const kept = await db
    .selectFrom('resident_former_names')
    .select('through_period')
    .where('bank_id', '=', bankId)
    .where('resident_id', '=', residentId)
    .where('through_period', '>=', lastClosedPeriod)
    .executeTakeFirst();
  // A later change in the same open period: the closed ones have their name already.
  if (kept !== undefined) return;
  await db
    .insertInto('resident_former_names')
    .values({ bank_id: bankId, resident_id: residentId, through_period: lastClosedPeriod, name })
    .execute();
}

/** Undefined if no period is closed yet. */
async function findLastClosedPeriod(db: WriteDb, bankId: number): Promise<number | undefined> {
  const ledger = await db.selectFrom('ledgers').select('open_period').where('bank_id', '=', bankId).executeTakeFirst();
  return ledger === undefined || ledger.open_period <= 1 ? undefined : ledger.open_period - 1;
}

/** The identities of a bank's residents, with the names that they had when the period was closed. */
export async function readIdentitiesOfPeriod(
  db: Db,
  bank: GrantedBank,
  closedPeriod: number,
): Promise<ResidentIdentities> {
  const [identities, formerNames] = await Promise.all([
    readResidentIdentities(db, bank),
    db
      .selectFrom('resident_former_names')
      .select(['resident_id', 'name'])
      .where('bank_id', '=', bank.bankId)
      .where('through_period', '>=', closedPeriod)
      .orderBy('through_period', 'desc')
      .execute(),
  ]);
  const withFormerNames = new Map(identities);
  // Of several names the last one, that of the earliest period, is that of this period.
  for (const { resident_id: residentId, name } of formerNames) {
    const identity = identities.get(residentId);
    if (identity !== undefined) withFormerNames.set(residentId, { ...identity, name });
  }
  return withFormerNames;
}
