// Lists the names of a bank's locations and units.

import type { Tables } from '../../../database/tables.ts';
import type { Db } from '../../../database/db.ts';
import type { GrantedBank } from '../../../permissions/coverage.ts';

type BankLocationNameRow = Pick<Tables['locations'], 'location_id' | 'name' | 'deleted_at' | 'time_zone'>;
type BankUnitNameRow = Omit<BankLocationNameRow, 'time_zone'> & { readonly unit_id: number };

/** Every location and unit of a bank, also deleted ones: old postings name them. */
export async function listBankPlaceNames(
  db: Db,
  { bankId }: GrantedBank,
): Promise<{ locations: BankLocationNameRow[]; units: BankUnitNameRow[] }> {
  const [locations, units] = await Promise.all([
    db
      .selectFrom('locations')
      .select(['location_id', 'name', 'deleted_at', 'time_zone'])
      .where('bank_id', '=', bankId)
      .orderBy('location_id')
      .execute(),
    db
      .selectFrom('units')
      .select(['location_id', 'unit_id', 'name', 'deleted_at'])
      .where('bank_id', '=', bankId)
      .orderBy('location_id')
      .orderBy('unit_id')
      .execute(),
  ]);
  return { locations, units };
}
