// Writes residents: ids, columns with what follows from them, keys, codes and histories.

import type { WriteDb } from '../../../database/db.ts';
import type { Tables } from '../../../database/tables.ts';
import { guestUserId } from '../../../lib/kid.ts';
import { foldEmail, listResidentWords } from '../../../lib/resident-keys.ts';
import type { GrantedBank, WholeGrantedBank } from '../../../permissions/coverage.ts';
import { deriveEmailKey, deriveSortKeys } from '../../residents/queries/insert-residents.ts';
import type { Key } from '../rules/field-values.ts';
import type { ResidentRow } from './residents.ts';

/** Gives away the next id of the bank, and locks the head. Ids that a rolled back transaction took are given again. */
export async function allocateResidentId(db: WriteDb, { bankId }: WholeGrantedBank): Promise<number> {
  await db.dialect.upsertRows(db, 'resident_heads', [{ bank_id: bankId, allocated: 1 }], {
    key: ['bank_id'],
    sum: ['allocated'],
  });
  const { allocated } = await db
    .selectFrom('resident_heads')
    .select('allocated')
    .where('bank_id', '=', bankId)
    .executeTakeFirstOrThrow();
  return guestUserId + allocated;
}

/** What commands change. */
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

/** Changes a resident who still has the row's revision; false if somebody else was faster. A taken email is a duplicate. */
export async function updateResident(
  db: WriteDb,
  { bankId }: GrantedBank,
  row: ResidentRow,
  changes: ResidentColumns,
): Promise<boolean> {
  const changed = { ...row, ...changes };
  // Residents may have an address that was another's before it had to be unique. They can be changed as they are.
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

/** Frees an email address that only a resident has whose identity has expired, as if there were no such resident. */
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

/** Replaces the words by which the resident is found. */
export async function replaceResidentWords(
  db: WriteDb,
  { bankId }: GrantedBank,
  row: ResidentRow,
  keyNumbers: readonly string[],
): Promise<void> {
  const residentId = row.resident_id;
  await db.deleteFrom('resident_words').where('bank_id', '=', bankId).where('resident_id', '=', residentId).execute();
  const words = listResidentWords({ ...row, residentId, phoneNumber: row.phone_number, keyNumbers });
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
  { kind, number }: Key,
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

/** Releases the resident's keys for others, or takes them back: then one that somebody else holds is a duplicate. */
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

/** The code that was before is dead. */
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

export type ResidentChangeRecord = Omit<Tables['resident_history'], 'bank_id'>;

export async function insertHistory(db: WriteDb, { bankId }: GrantedBank, record: ResidentChangeRecord): Promise<void> {
  await db
    .insertInto('resident_history')
    .values({ bank_id: bankId, ...record })
    .execute();
}

/** Whether the bank has such a location that is not deleted. */
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
