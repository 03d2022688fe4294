// Reads the units and residents of bookings that are to be made, with what decides whether they can be.

import type { Db } from '../../../../database/db.ts';
import type { GrantedBank } from '../../../../permissions/coverage.ts';

/** Units of different locations can have the same id: all of these are read. */
export const listBookedUnits = (db: Db, { bankId }: GrantedBank, unitIds: readonly number[]) =>
  db
    .selectFrom('units as u')
    .innerJoin('locations as l', (join) =>
      join.onRef('l.bank_id', '=', 'u.bank_id').onRef('l.location_id', '=', 'u.location_id'),
    )
    .innerJoin('banks as k', 'k.bank_id', 'u.bank_id')
    .select(['u.location_id', 'u.unit_id', 'u.name as unit_name', 'u.unit_type', 'u.packed_type'])
    .select(['u.enabled as unit_enabled', 'u.deleted_at as unit_deleted_at', 'k.enabled as bank_enabled'])
    .select(['l.name as location_name', 'l.enabled as location_enabled', 'l.time_zone'])
    .where('u.bank_id', '=', bankId)
    .where(({ ref }) => db.dialect.inList(ref('u.unit_id'), [...new Set(unitIds)]))
    .execute();

export const listBookedResidents = (db: Db, { bankId }: GrantedBank, residentIds: readonly number[]) =>
  db
    .selectFrom('residents')
    .select(['resident_id', 'name as resident_name'])
    .select(['expired_at as resident_expired_at', 'deleted_at as resident_deleted_at'])
    .where('bank_id', '=', bankId)
    .where(({ ref }) => db.dialect.inList(ref('resident_id'), [...new Set(residentIds)]))
    .execute();
