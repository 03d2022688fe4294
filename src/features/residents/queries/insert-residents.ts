// Inserts residents, with the words by which they are found.

import type { WriteDb } from '../../../database/db.ts';
import { insertRows } from '../../../database/insert-rows.ts';
import type { AddressColumns } from '../../../database/tables/address-columns.ts';
import type { Tables } from '../../../database/tables.ts';
import { guestUserId } from '../../../lib/kid.ts';
import { foldEmail, listResidentWords } from '../../../lib/resident-keys.ts';
import { formatSortKey } from '../../../lib/search-words.ts';
import { noAddress } from '../../places/rules/no-address.ts';

type ResidentRow = Tables['residents'];
type DerivedColumn = 'name_key' | 'apartment_key' | 'email_key';
type OptionalColumn = 'phone_number' | 'pin_hash' | 'erased_at' | keyof AddressColumns;

export type NewResident = Omit<ResidentRow, DerivedColumn | OptionalColumn> &
  Partial<Pick<ResidentRow, OptionalColumn>>;

/**
 * Inserts residents of one bank whose ids are known. Throws DuplicateError if an email address is taken. Ids that are
 * given away later follow the highest one.
 */
export async function insertResidents(db: WriteDb, bankId: number, residents: readonly NewResident[]): Promise<void> {
  if (residents.length === 0) return;
  const rows = residents.map((resident) => withDerivedColumns(resident));
  await insertRows(db, 'residents', rows);
  await insertRows(db, 'resident_words', rows.flatMap(listWordRows));
  const allocated = Math.max(...residents.map(({ resident_id }) => resident_id)) - guestUserId;
  await db.dialect.upsertRows(db, 'resident_heads', [{ bank_id: bankId, allocated }], {
    key: ['bank_id'],
    sum: [],
    max: ['allocated'],
  });
}

const withDerivedColumns = (resident: NewResident): ResidentRow => ({
  phone_number: null,
  pin_hash: null,
  erased_at: null,
  ...noAddress,
  ...resident,
  ...deriveSortKeys(resident),
  email_key: deriveEmailKey(resident),
});

/** The columns by which residents are sorted. */
export const deriveSortKeys = ({
  name,
  apartment,
}: Pick<ResidentRow, 'name' | 'apartment'>): Pick<ResidentRow, 'name_key' | 'apartment_key'> => ({
  name_key: formatSortKey(name),
  apartment_key: formatSortKey(apartment),
});

/** A deleted resident keeps nobody from having the email address. */
export const deriveEmailKey = ({ email, deleted_at }: Pick<ResidentRow, 'email' | 'deleted_at'>): string | null =>
  email === '' || deleted_at !== null ? null : foldEmail(email);

function listWordRows(row: ResidentRow): Tables['resident_words'][] {
  const words = listResidentWords({
    ...row,
    residentId: row.resident_id,
    phoneNumber: row.phone_number,
    keyNumbers: [],
  });
  return words.map((word) => ({ bank_id: row.bank_id, word, resident_id: row.resident_id }));
}
