// Reads units for overviews: their row, and the settings that say whether they can be booked and are out of order.

import { sql, type InferResult } from 'kysely';
import type { Db } from '../../../database/db.ts';
import { findPrepared, runPrepared, type BindParameter } from '../../../database/statements/prepared-query.ts';
import type { GrantedLocation, GrantedUnit } from '../../../permissions/coverage.ts';
import type { UnitTypeColumns } from '../rules/unit-types.ts';
import { applySlice, runSliceQuery, type RowSlice } from './row-slice.ts';

/** Settings have their stored values, or null. */
export type UnitOverviewRow = InferResult<ReturnType<typeof selectUnitOverviewRows>>[number];

/** Undefined if the unit does not exist or is deleted. */
export const findUnitOverviewRow = (db: Db, unit: GrantedUnit): Promise<UnitOverviewRow | undefined> =>
  findPrepared(db, 'unit of an overview', unit, (bind) =>
    selectUnitOverviewRows(db, bind).where('u.unit_id', '=', bind<number>('unitId')),
  );

/** Units of a location, without deleted ones. */
export const listUnitOverviewRows = (db: Db, location: GrantedLocation, slice: RowSlice): Promise<UnitOverviewRow[]> =>
  runSliceQuery(db, { shape: 'units of an overview', values: location, slice }, (bind) =>
    applySlice(selectUnitOverviewRows(db, bind), 'u.unit_id', slice, bind),
  );

const selectUnitOverviewRows = (db: Db, bind: BindParameter) =>
  selectUnitsOfLocation(db, bind)
    .leftJoin('unit_settings as bookable', (join) => join.on(joinSettingByName('bookable', 'Bookable')))
    .leftJoin('unit_settings as broken', (join) => join.on(joinSettingByName('broken', 'OutOfOrder')))
    .leftJoin('unit_settings as failed', (join) => join.on(joinSettingByName('failed', 'AutoOutOfOrder')))
    .select(['u.unit_id', 'u.name', 'u.unit_type', 'u.packed_type', 'u.enabled'])
    .select(['bookable.value as bookable', 'broken.value as out_of_order', 'failed.value as auto_out_of_order']);

const selectUnitsOfLocation = (db: Db, bind: BindParameter) =>
  db
    .selectFrom('units as u')
    .where('u.bank_id', '=', bind<number>('bankId'))
    .where('u.location_id', '=', bind<number>('locationId'))
    .where('u.deleted_at', 'is', null);

/** Joins a unit's setting by its whole key. */
const joinSettingByName = (alias: string, name: string) =>
  sql<boolean>`${sql.ref(`${alias}.bank_id`)} = u.bank_id and ${sql.ref(`${alias}.location_id`)} = u.location_id
    and ${sql.ref(`${alias}.unit_id`)} = u.unit_id and ${sql.ref(`${alias}.name`)} = ${sql.lit(name)}`;

export type UnitContactRow = UnitTypeColumns & { readonly unit_id: number; readonly last_contact_at: number | null };

/** The last contacts of a location's units. */
export const listUnitContacts = (db: Db, location: GrantedLocation, slice: RowSlice): Promise<UnitContactRow[]> =>
  runSliceQuery(db, { shape: 'contacts of units', values: location, slice }, (bind) =>
    applySlice(
      selectUnitsOfLocation(db, bind).select(['u.unit_id', 'u.unit_type', 'u.packed_type', 'u.last_contact_at']),
      'u.unit_id',
      slice,
      bind,
    ),
  );

/** The texts by which a location's units are searched and sorted. */
export const listUnitSearchRows = (db: Db, location: GrantedLocation) =>
  runPrepared(db, 'names of units', location, (bind) =>
    selectUnitsOfLocation(db, bind).select(['u.unit_id', 'u.name', 'u.unit_type', 'u.packed_type']),
  );
