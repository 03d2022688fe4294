// Keeps the names with which settlement periods were closed, so that a settlement stays the same when a resident gets
// another name.

import { sql } from 'kysely';
import type { Db, WriteDb } from '../../../database/db.ts';
import { insertRows } from '../../../database/statements/insert-rows.ts';
import { requireLock } from '../../../database/locks.ts';
import type { GrantedBank } from '../../../permissions/coverage.ts';
import { readResidentIdentities, type ResidentIdentities } from './identities.ts';
import { residentsLock } from './residents-version.ts';

type FormerName = {
  readonly residentId: number;
  /** The name before the change. */
  readonly name: string;
};

/**
 * Keeps the present names of residents for the closed periods, in the transaction that changes the names. Needs the lock
 * of the residents, which closing a period takes as well, so that no period is closed meanwhile.
 */
export async function keepFormerNames(db: WriteDb, bank: GrantedBank, names: readonly FormerName[]): Promise<void> {
  if (names.length === 0) return;
  requireLock(db, residentsLock(bank));
  const { bankId } = bank;
  const lastClosedPeriod = await findLastClosedPeriod(db, bankId);
  if (lastClosedPeriod === undefined) return;
  const ids = names.map(({ residentId }) => residentId);
  const kept = await db
    .selectFrom('resident_former_names')
    .select('resident_id')
    .where('bank_id', '=', bankId)
    .where(db.dialect.inList(sql.ref('resident_id'), ids))
    .where('through_period', '>=', lastClosedPeriod)
    .execute();
  // After an earlier change in the same open period the closed ones already have their name.
  const keptIds = new Set(kept.map(({ resident_id }) => resident_id));
  const rows = names
    .filter(({ residentId }) => !keptIds.has(residentId))
    .map(({ residentId, name }) => ({
      bank_id: bankId,
      resident_id: residentId,
      through_period: lastClosedPeriod,
      name,
    }));
  await insertRows(db, 'resident_former_names', rows);
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
  // The last of several names applies to this period: that of the earliest period.
  for (const { resident_id: residentId, name } of formerNames) {
    const identity = identities.get(residentId);
    if (identity !== undefined) withFormerNames.set(residentId, { ...identity, name });
  }
  return withFormerNames;
}
