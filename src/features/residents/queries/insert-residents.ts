// Inserts residents with their search words.

import type { WriteDb } from '../../../database/db.ts';
import { insertRows } from '../../../database/statements/insert-rows.ts';
import type { Tables } from '../../../database/tables.ts';
import { foldEmail } from '../../../lib/values/field-values.ts';
import { guestId } from '../../../lib/kid.ts';
import { formatSortKey } from '../../../lib/text/search-words.ts';
import { noAddress } from '../../places/rules/new-place-rows.ts';
import { noPersonalTexts } from '../fields.ts';
import { listResidentWords } from '../rules/resident-search.ts';

type StoredResident = Tables['residents'];
type DerivedColumn = 'name_key' | 'apartment_key' | 'email_key';
type RequiredColumn = 'bank_id' | 'resident_id' | 'location_id' | 'name' | 'language';

/** If the other columns are missing, nothing else is known of a resident, who is active. */
export type NewResidentRow = Pick<StoredResident, RequiredColumn> &
  Partial<Omit<StoredResident, RequiredColumn | DerivedColumn>>;

const newResident: Omit<StoredResident, RequiredColumn | DerivedColumn> & Pick<StoredResident, 'name'> = {
  ...noPersonalTexts,
  ...noAddress,
  phone_number: null,
  pin_hash: null,
  enabled: 1,
  deleted_at: null,
  expired_at: null,
  erased_at: null,
  revision: 1,
};

/** Resident id -> the numbers of the keys that the resident gets. */
type KeyNumbersById = ReadonlyMap<number, readonly string[]>;

/**
 * Inserts residents of one bank whose ids are known; they are found by the numbers of their keys, which are inserted
 * elsewhere. Throws DuplicateError if an email address is taken. Ids that are allocated later follow the highest one.
 */
export async function insertResidents(
  db: WriteDb,
  bankId: number,
  residents: readonly NewResidentRow[],
  keyNumbers: KeyNumbersById = new Map(),
): Promise<void> {
  if (residents.length === 0) return;
  const rows = residents.map((resident) => withDerivedColumns(resident));
  await insertRows(db, 'residents', rows);
  const words = rows.flatMap((row) => listWordRows(row, keyNumbers.get(row.resident_id) ?? []));
  await insertRows(db, 'resident_words', words);
  const allocated = Math.max(...residents.map(({ resident_id }) => resident_id)) - guestId;
  await db.dialect.upsertRows(db, 'resident_heads', [{ bank_id: bankId, allocated }], {
    key: ['bank_id'],
    sum: [],
    max: ['allocated'],
  });
}

function withDerivedColumns(given: NewResidentRow): StoredResident {
  const resident = { ...newResident, ...given };
  return { ...resident, ...deriveSortKeys(resident), email_key: deriveEmailKey(resident) };
}

/** The columns by which residents are sorted. */
export const deriveSortKeys = ({
  name,
  apartment,
}: Pick<StoredResident, 'name' | 'apartment'>): Pick<StoredResident, 'name_key' | 'apartment_key'> => ({
  name_key: formatSortKey(name),
  apartment_key: formatSortKey(apartment),
});

/** A deleted resident does not reserve the email address. */
export const deriveEmailKey = ({ email, deleted_at }: Pick<StoredResident, 'email' | 'deleted_at'>): string | null =>
  email === '' || deleted_at !== null ? null : foldEmail(email);

const listWordRows = (row: StoredResident, keyNumbers: readonly string[]): Tables['resident_words'][] =>
  listResidentWords(row, keyNumbers).map((word) => ({ bank_id: row.bank_id, word, resident_id: row.resident_id }));
