// Lists the stored settings of a location's units, without defaults.

import type { Db } from '../../../database/db.ts';
import type { GrantedLocation } from '../../../permissions/coverage.ts';
import type { StoredUnitValueRow } from '../rules/visible-values.ts';

/** Settings of these names, of units that are not deleted. */
export function listStoredSettings(
  db: Db,
  { bankId, locationId }: GrantedLocation,
  names: readonly string[],
): Promise<StoredUnitValueRow[]> {
  return db
    .selectFrom('unit_settings as s')
    .innerJoin('units as u', (join) =>
      join
        .onRef('u.bank_id', '=', 's.bank_id')
        .onRef('u.location_id', '=', 's.location_id')
        .onRef('u.unit_id', '=', 's.unit_id'),
    )
    .select(['s.unit_id', 's.name', 's.value', 'u.unit_type', 'u.packed_type'])
    .where('s.bank_id', '=', bankId)
    .where('s.location_id', '=', locationId)
    .where('s.name', 'in', names)
    .where('u.deleted_at', 'is', null)
    .orderBy('s.unit_id')
    .execute();
}
