// Changes and creates rows of banks, locations and units. Who calls has the locks.

import { sql } from 'kysely';
import type { WriteDb } from '../../../../database/db.ts';
import { StorageError } from '../../../../database/errors.ts';
import { insertRows } from '../../../../database/statements/insert-rows.ts';
import type { Tables } from '../../../../database/tables.ts';
import type { LocationKey, UnitKey } from '../../../../permissions/coverage.ts';
import { listTakenNumbers } from './list-places.ts';

const nextPlacesVersion = sql<number>`places_version + 1`;

/** Lists show the bank differently afterwards: its places have a new version. */
export async function updateBank(db: WriteDb, bankId: number, change: Partial<Tables['banks']>): Promise<void> {
  const versioned = { ...change, places_version: nextPlacesVersion };
  await db.updateTable('banks').set(versioned).where('bank_id', '=', bankId).execute();
}

export async function updateLocation(
  db: WriteDb,
  { bankId, locationId }: LocationKey,
  change: Partial<Tables['locations']>,
): Promise<void> {
  if (Object.keys(change).length === 0) return;
  const ofBank = db.updateTable('locations').set(change).where('bank_id', '=', bankId);
  await ofBank.where('location_id', '=', locationId).execute();
}

export async function updateUnit(
  db: WriteDb,
  { bankId, locationId, unitId }: UnitKey,
  change: Partial<Tables['units']>,
): Promise<void> {
  const ofBank = db.updateTable('units').set(change).where('bank_id', '=', bankId);
  await ofBank.where('location_id', '=', locationId).where('unit_id', '=', unitId).execute();
}

/** Returns those that have no ledger yet. A number that a deleted bank had is taken over, with its ledger, which is empty. */
export async function insertBanks(db: WriteDb, rows: readonly Tables['banks'][]): Promise<readonly number[]> {
  const known = await listTakenNumbers(
    db,
    rows.map(({ bank_id }) => bank_id),
  );
  const former = new Set(known.map(({ bank_id }) => bank_id));
  const added = rows.filter(({ bank_id }) => !former.has(bank_id));
  try {
    await insertRows(db, 'banks', added);
  } catch (error) {
    // Another transaction has created a bank meanwhile, so this one stores nothing and runs again.
    throw db.dialect.classifyError(error) === 'duplicate' ? new StorageError('rolled-back', error) : error;
  }
  for (const { bank_id, ...row } of rows.filter((each) => former.has(each.bank_id)))
    await db
      .updateTable('banks')
      .set({
        ...row,
        places_version: nextPlacesVersion,
        residents_version: sql<number>`residents_version + 1`,
      })
      .where('bank_id', '=', bank_id)
      .execute();
  return added.map(({ bank_id }) => bank_id);
}
