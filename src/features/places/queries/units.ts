// Units as overviews show them: their own row, and the settings that say whether they can be booked and are in order.

import { sql } from 'kysely';
import type { Db } from '../../../database/db.ts';
import { runPrepared, type BindParameter } from '../../../database/prepared-query.ts';
import type { LocationKey, UnitKey } from '../../../permissions/coverage.ts';
import type { UnitTypeColumns } from '../rules/unit-types.ts';
import { applySlice, runSliceQuery, type RowSlice } from './row-slice.ts';

/** Values of settings are as they were given; null where none was. */
export type UnitOverviewRow = UnitTypeColumns & {
  readonly unit_id: number;
  readonly name: string;
  readonly enabled: number;
  readonly bookable: string | null;
  readonly out_of_order: string | null;
  readonly auto_out_of_order: string | null;
};

/** One unit that is not deleted. */
export async function findUnitOverviewRow(db: Db, at: UnitKey): Promise<UnitOverviewRow | undefined> {
  const [row] = await runPrepared(db, 'unit of an overview', { ...at }, (slot) =>
    selectUnitOverviewRows(db, slot).where('u.unit_id', '=', slot<number>('unitId')),
  );
  return row;
}

/** Units of a location that are not deleted. */
export function listUnitOverviewRows(db: Db, at: LocationKey, slice: RowSlice): Promise<UnitOverviewRow[]> {
  return runSliceQuery(db, 'units of an overview', { ...at }, slice, (slot) =>
    applySlice(selectUnitOverviewRows(db, slot), 'u.unit_id', slice, slot),
  );
}

const selectUnitOverviewRows = (db: Db, slot: BindParameter) =>
  selectUnitsOfLocation(db, slot)
    .leftJoin('unit_settings as bookable', (join) => join.on(joinSettingByName('bookable', 'Bookable')))
    .leftJoin('unit_settings as broken', (join) => join.on(joinSettingByName('broken', 'OutOfOrder')))
    .leftJoin('unit_settings as failed', (join) => join.on(joinSettingByName('failed', 'AutoOutOfOrder')))
    .select(['u.unit_id', 'u.name', 'u.unit_type', 'u.packed_type', 'u.enabled'])
    .select(['bookable.value as bookable', 'broken.value as out_of_order', 'failed.value as auto_out_of_order']);

const selectUnitsOfLocation = (db: Db, slot: BindParameter) =>
  db
    .selectFrom('units as u')
    .where('u.bank_id', '=', slot<number>('bankId'))
    .where('u.location_id', '=', slot<number>('locationId'))
    .where('u.deleted_at', 'is', null);

/** A unit's setting of this name, by the whole of its key. */
const joinSettingByName = (alias: string, name: string) =>
  sql<boolean>`${sql.ref(`${alias}.bank_id`)} = u.bank_id and ${sql.ref(`${alias}.location_id`)} = u.location_id
    and ${sql.ref(`${alias}.unit_id`)} = u.unit_id and ${sql.ref(`${alias}.name`)} = ${sql.lit(name)}`;

export type UnitContactRow = UnitTypeColumns & { readonly unit_id: number; readonly last_contact_at: number | null };

/** When units of a location were last heard of. */
export function listUnitContacts(db: Db, at: LocationKey, slice: RowSlice): Promise<UnitContactRow[]> {
  return runSliceQuery(db, 'contacts of units', { ...at }, slice, (slot) =>
    applySlice(
      selectUnitsOfLocation(db, slot).select(['u.unit_id', 'u.unit_type', 'u.packed_type', 'u.last_contact_at']),
      'u.unit_id',
      slice,
      slot,
    ),
  );
}

export type UnitSearchRow = UnitTypeColumns & { readonly unit_id: number; readonly name: string };

/** What all units of a location are called. */
export function listUnitSearchRows(db: Db, at: LocationKey): Promise<UnitSearchRow[]> {
  return runPrepared(db, 'names of units', { ...at }, (slot) =>
    selectUnitsOfLocation(db, slot).select(['u.unit_id', 'u.name', 'u.unit_type', 'u.packed_type']),
  );
}
