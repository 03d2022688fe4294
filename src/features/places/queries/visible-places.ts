// Reads a bank, location or unit that the grants cover, unless it or a place that it belongs to is deleted. A unit that
// was deleted lately, or whose location was, can be read.

import type { Tables } from '../../../database/tables.ts';
import { sql, type Expression, type SqlBool } from 'kysely';
import type { Db } from '../../../database/db.ts';
import { onEqual } from '../../../database/statements/on-equal.ts';
import { findPrepared } from '../../../database/statements/prepared-query.ts';
import { hideDeleted } from '../../../lib/time/retention-cutoff.ts';
import type { GrantedBank, GrantedLocation, GrantedUnit } from '../../../permissions/coverage.ts';

export type VisibleBankRow = Pick<Tables['banks'], 'bank_id' | 'bank_type' | 'places_version' | 'currency'>;

export const findVisibleBank = (db: Db, bank: GrantedBank): Promise<VisibleBankRow | undefined> =>
  findPrepared(db, 'visible bank', bank, (bind) =>
    db
      .selectFrom('banks')
      .select(['bank_id', 'bank_type', 'places_version', 'currency'])
      .where('bank_id', '=', bind<number>('bankId'))
      .where('deleted_at', 'is', null),
  );

export type VisibleLocationRow = VisibleBankRow & {
  readonly location_id: number;
  readonly location_name: string;
  /** The stored name: `resolveLocationTimeZone` gives the IANA name. */
  readonly time_zone: string;
};

/** The location and its bank. */
export const findVisibleLocation = (db: Db, location: GrantedLocation): Promise<VisibleLocationRow | undefined> =>
  findPrepared(db, 'visible location', location, (bind) =>
    db
      .selectFrom('locations as l')
      .innerJoin('banks as b', 'b.bank_id', 'l.bank_id')
      .select(['b.bank_id', 'b.bank_type', 'b.places_version', 'b.currency'])
      .select(['l.location_id', 'l.name as location_name', 'l.time_zone'])
      .where('l.bank_id', '=', bind<number>('bankId'))
      .where('l.location_id', '=', bind<number>('locationId'))
      .where('l.deleted_at', 'is', null)
      .where('b.deleted_at', 'is', null),
  );

export type VisibleUnitRow = VisibleLocationRow &
  Pick<Tables['units'], 'unit_id' | 'name' | 'unit_type' | 'packed_type' | 'enabled' | 'last_contact_at' | 'version'>;

/** The unit, its location and its bank. Units and locations that were deleted since that instant (MS2000) are visible. */
export const findVisibleUnit = (
  db: Db,
  unit: GrantedUnit,
  deletedSince = hideDeleted,
): Promise<VisibleUnitRow | undefined> =>
  findPrepared(db, 'visible unit', { ...unit, deletedSince }, (bind) =>
    db
      .selectFrom('units as u')
      .innerJoin('locations as l', onEqual('l', 'u', 'bank_id', 'location_id'))
      .innerJoin('banks as b', 'b.bank_id', 'u.bank_id')
      .select(['b.bank_id', 'b.bank_type', 'b.places_version', 'b.currency'])
      .select(['l.location_id', 'l.name as location_name', 'l.time_zone'])
      .select(['u.unit_id', 'u.name', 'u.unit_type', 'u.packed_type', 'u.enabled', 'u.last_contact_at', 'u.version'])
      .where('u.bank_id', '=', bind<number>('bankId'))
      .where('u.location_id', '=', bind<number>('locationId'))
      .where('u.unit_id', '=', bind<number>('unitId'))
      .where(isRetained('u', bind('deletedSince')))
      .where(isRetained('l', bind('deletedSince')))
      .where('b.deleted_at', 'is', null),
  );

/** Whether the location or unit is not deleted, or was deleted since that instant. */
export const isRetained = (alias: 'l' | 'u', deletedSince: Expression<number>) =>
  sql<SqlBool>`(${sql.ref(`${alias}.deleted_at`)} is null or ${sql.ref(`${alias}.deleted_at`)} >= ${deletedSince})`;
