// Writes residents: columns with what follows from them, keys, codes and histories.

import { sql } from 'kysely';
import type { WriteDb } from '../../../database/db.ts';
import { insertRows } from '../../../database/statements/insert-rows.ts';
import type { Tables } from '../../../database/tables.ts';
import { foldEmail } from '../../../lib/values/field-values.ts';
import { listedValues, partsOf } from '../../../lib/values/parts.ts';
import type { GrantedBank } from '../../../permissions/coverage.ts';
import type { ResidentField } from '../../residents/fields.ts';
import { deriveEmailKey, deriveSortKeys } from '../../residents/queries/insert-residents.ts';
import type { ResidentKeyNumber } from '../../residents/rules/resident-key.ts';
import { listResidentWords } from '../../residents/rules/resident-search.ts';
import type { ResidentKeyRow } from './resident-details.ts';
import type { ResidentRow } from './residents.ts';

/** The columns that commands change. */
export type ResidentColumns = Partial<
  Pick<
    Tables['residents'],
    ResidentField | 'phone_number' | 'location_id' | 'enabled' | 'deleted_at' | 'expired_at' | 'pin_hash'
  >
>;

/** Changes a resident; false if the revision is no longer that of the row. An email address in use is a duplicate. */
export async function updateResident(
  db: WriteDb,
  { bankId }: GrantedBank,
  row: ResidentRow,
  { revision, ...changes }: ResidentColumns & Pick<ResidentRow, 'revision'>,
): Promise<boolean> {
  const changed = { ...row, ...changes };
  // Residents can share an address from before it had to be unique. Other changes of theirs are still allowed.
  const emailKey = 'email' in changes || 'deleted_at' in changes ? { email_key: deriveEmailKey(changed) } : {};
  const { numUpdatedRows } = await db
    .updateTable('residents')
    .set({ ...changes, ...deriveSortKeys(changed), ...emailKey, revision })
    .where('bank_id', '=', bankId)
    .where('resident_id', '=', row.resident_id)
    .where('revision', '=', row.revision)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Releases email addresses that only residents with an expired identity have. */
export async function releaseExpiredEmails(
  db: WriteDb,
  { bankId }: GrantedBank,
  emails: readonly string[],
  now: number,
): Promise<void> {
  const emailKeys = emails.filter((email) => email !== '').map(foldEmail);
  for (const part of partsOf(emailKeys, listedValues))
    await db
      .updateTable('residents')
      .set({ email_key: null })
      .where('bank_id', '=', bankId)
      .where('email_key', 'in', part)
      .where('expired_at', '<=', now)
      .execute();
}

export type ResidentWithKeys = { readonly row: ResidentRow; readonly keys: readonly ResidentKeyRow[] };

/** Replaces the search words of residents. */
export async function replaceResidentWords(
  db: WriteDb,
  { bankId }: GrantedBank,
  residents: readonly ResidentWithKeys[],
): Promise<void> {
  if (residents.length === 0) return;
  const ids = residents.map(({ row }) => row.resident_id);
  await db
    .deleteFrom('resident_words')
    .where('bank_id', '=', bankId)
    .where(db.dialect.inList(sql.ref('resident_id'), ids))
    .execute();
  const words = residents.flatMap(({ row, keys }) =>
    listResidentWords(
      row,
      keys.map(({ key_number }) => key_number),
    ).map((word) => ({ bank_id: bankId, word, resident_id: row.resident_id })),
  );
  await insertRows(db, 'resident_words', words);
}

export type NewKey = { readonly residentId: number; readonly key: ResidentKeyNumber };

/** A key that another resident of the tenant holds is a duplicate. */
export const insertKeys = (db: WriteDb, { bankId }: GrantedBank, keys: readonly NewKey[], now: number): Promise<void> =>
  insertRows(
    db,
    'resident_keys',
    keys.map(({ residentId, key: { kind, number } }) => ({
      bank_id: bankId,
      resident_id: residentId,
      key_number: number,
      kind,
      added_at: now,
      held_number: number,
    })),
  );

/** Inserts one key. */
export const insertKey = (
  db: WriteDb,
  bank: GrantedBank,
  residentId: number,
  key: ResidentKeyNumber,
  now: number,
): Promise<void> => insertKeys(db, bank, [{ residentId, key }], now);

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

/** Releases the keys of residents for others, or takes them back. A key that somebody else holds by then is a duplicate. */
export async function holdKeys(
  db: WriteDb,
  { bankId }: GrantedBank,
  residentIds: readonly number[],
  { held }: { readonly held: boolean },
): Promise<void> {
  if (residentIds.length === 0) return;
  await db
    .updateTable('resident_keys')
    .set(({ ref }) => ({ held_number: held ? ref('key_number') : null }))
    .where('bank_id', '=', bankId)
    .where(db.dialect.inList(sql.ref('resident_id'), residentIds))
    .execute();
}

type NewActivation = { readonly residentId: number; readonly code: string };

/** Stores the first codes of residents. */
export const insertActivations = (
  db: WriteDb,
  { bankId }: GrantedBank,
  activations: readonly NewActivation[],
  now: number,
): Promise<void> =>
  insertRows(
    db,
    'resident_activations',
    activations.map(({ residentId, code }) => ({
      bank_id: bankId,
      resident_id: residentId,
      code,
      created_at: now,
      used_at: null,
    })),
  );

/** Stores a new code; the previous one becomes invalid. */
export async function replaceActivation(
  db: WriteDb,
  bank: GrantedBank,
  activation: NewActivation,
  now: number,
): Promise<void> {
  await db
    .deleteFrom('resident_activations')
    .where('bank_id', '=', bank.bankId)
    .where('resident_id', '=', activation.residentId)
    .execute();
  await insertActivations(db, bank, [activation], now);
}

type ResidentChangeRecord = Omit<Tables['resident_history'], 'bank_id'>;

export const insertHistory = (
  db: WriteDb,
  { bankId }: GrantedBank,
  records: readonly ResidentChangeRecord[],
): Promise<void> =>
  insertRows(
    db,
    'resident_history',
    records.map((record) => ({ bank_id: bankId, ...record })),
  );

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
