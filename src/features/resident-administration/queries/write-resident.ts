// Writes residents: ids, columns with what follows from them, keys, codes and histories.

import type { WriteDb } from '../../../database/db.ts';
import { createLock, type Lock } from '../../../database/locks.ts';
import type { Tables } from '../../../database/tables.ts';
import { foldEmail } from '../../../lib/field-values.ts';
import { guestId } from '../../../lib/kid.ts';
import type { GrantedBank, WholeGrantedBank } from '../../../permissions/coverage.ts';
import { deriveEmailKey, deriveSortKeys } from '../../residents/queries/insert-residents.ts';
import type { ResidentKeyNumber } from '../../residents/rules/resident-key.ts';
import { listResidentWords } from '../../residents/rules/resident-search.ts';
import type { ResidentRow } from './residents.ts';

/** Allocates the next id of the bank. Ids of a transaction that was rolled back are allocated again. */
export const residentIdsLock = ({ bankId }: WholeGrantedBank): Lock<number> =>
  createLock('resident-ids', [bankId], {
    update: (db) =>
      db.dialect.upsertRows(db, 'resident_heads', [{ bank_id: bankId, allocated: 1 }], {
        key: ['bank_id'],
        sum: ['allocated'],
      }),
    read: async (db) => {
      const { allocated } = await db
        .selectFrom('resident_heads')
        .select('allocated')
        .where('bank_id', '=', bankId)
        .executeTakeFirstOrThrow();
      return guestId + allocated;
    },
  });

/** The columns that commands change. */
export type ResidentColumns = Partial<
  Pick<
    Tables['residents'],
    | 'name'
    | 'email'
    | 'phone'
    | 'phone_number'
    | 'language'
    | 'apartment'
    | 'location_id'
    | 'enabled'
    | 'deleted_at'
    | 'expired_at'
    | 'pin_hash'
  >
>;

/** Changes a resident; false if the revision is no longer that of the row. An email address in use is a duplicate. */
export async function updateResident(
  db: WriteDb,
  { bankId }: GrantedBank,
  row: ResidentRow,
  changes: ResidentColumns,
): Promise<boolean> {
  const changed = { ...row, ...changes };
  // Residents can share an address from before it had to be unique. Other changes of theirs are still allowed.
  const emailKey = 'email' in changes || 'deleted_at' in changes ? { email_key: deriveEmailKey(changed) } : {};
  const { numUpdatedRows } = await db
    .updateTable('residents')
    .set({ ...changes, ...deriveSortKeys(changed), ...emailKey, revision: row.revision + 1 })
    .where('bank_id', '=', bankId)
    .where('resident_id', '=', row.resident_id)
    .where('revision', '=', row.revision)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Releases an email address that only a resident with an expired identity has. */
export async function releaseExpiredEmail(
  db: WriteDb,
  { bankId }: GrantedBank,
  email: string,
  now: number,
): Promise<void> {
  await db
    .updateTable('residents')
    .set({ email_key: null })
    .where('bank_id', '=', bankId)
    .where('email_key', '=', foldEmail(email))
    .where('expired_at', '<=', now)
    .execute();
}

/** Replaces the resident's search words. */
export async function replaceResidentWords(
  db: WriteDb,
  { bankId }: GrantedBank,
  row: ResidentRow,
  keyNumbers: readonly string[],
): Promise<void> {
  const residentId = row.resident_id;
  await db.deleteFrom('resident_words').where('bank_id', '=', bankId).where('resident_id', '=', residentId).execute();
  const words = listResidentWords({
    ...row,
    residentId,
    phone: { typed: row.phone, number: row.phone_number },
    keyNumbers,
  });
  await db
    .insertInto('resident_words')
    .values(words.map((word) => ({ bank_id: bankId, word, resident_id: residentId })))
    .execute();
}

/** A key that another resident of the tenant holds is a duplicate. */
export async function insertKey(
  db: WriteDb,
  { bankId }: GrantedBank,
  residentId: number,
  { kind, number }: ResidentKeyNumber,
  now: number,
): Promise<void> {
  await db
    .insertInto('resident_keys')
    .values({
      bank_id: bankId,
      resident_id: residentId,
      key_number: number,
      kind,
      added_at: now,
      held_number: number,
    })
    .execute();
}

export async function deleteKey(
  db: WriteDb,
  { bankId }: GrantedBank,
  residentId: number,
  keyNumber: string,
): Promise<void> {
  await db
    .deleteFrom('resident_keys')
    .where('bank_id', '=', bankId)
    .where('resident_id', '=', residentId)
    .where('key_number', '=', keyNumber)
    .execute();
}

/**
 * Releases the resident's keys for others, or takes them back. A key that somebody else holds by then is a duplicate.
 */
export async function holdKeys(
  db: WriteDb,
  { bankId }: GrantedBank,
  residentId: number,
  { held }: { readonly held: boolean },
): Promise<void> {
  await db
    .updateTable('resident_keys')
    .set(({ ref }) => ({ held_number: held ? ref('key_number') : null }))
    .where('bank_id', '=', bankId)
    .where('resident_id', '=', residentId)
    .execute();
}

/** Stores a new code; the previous one becomes invalid. */
export async function replaceActivation(
  db: WriteDb,
  { bankId }: GrantedBank,
  residentId: number,
  { code, now }: { readonly code: string; readonly now: number },
): Promise<void> {
  await db
    .deleteFrom('resident_activations')
    .where('bank_id', '=', bankId)
    .where('resident_id', '=', residentId)
    .execute();
  await db
    .insertInto('resident_activations')
    .values({ bank_id: bankId, resident_id: residentId, code, created_at: now, used_at: null })
    .execute();
}

type ResidentChangeRecord = Omit<Tables['resident_history'], 'bank_id'>;

export async function insertHistory(db: WriteDb, { bankId }: GrantedBank, record: ResidentChangeRecord): Promise<void> {
  await db
    .insertInto('resident_history')
    .values({ bank_id: bankId, ...record })
    .execute();
}

/** Whether the bank has this location, and it is not deleted. */
export async function hasLocation(db: WriteDb, { bankId }: GrantedBank, locationId: number): Promise<boolean> {
  const row = await db
    .selectFrom('locations')
    .select('location_id')
    .where('bank_id', '=', bankId)
    .where('location_id', '=', locationId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}
