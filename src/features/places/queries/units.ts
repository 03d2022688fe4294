// Units as overviews show them: their own row, and the settings that say whether they can be booked and are in order.

import { sql } from 'kysely';
import type { Db } from '../../../database/dialect.ts';
import { runPrepared, type At } from '../../../database/prepared.ts';
import type { LocationAt, UnitAt } from '../sight.ts';
import type { StoredType } from '../unit-types.ts';
import { cut, runSlice, type Slice } from './slice.ts';

/** Values of settings are as they were given; null where none was. */
export type UnitRow = StoredType & {
  readonly unit_id: number;
  readonly name: string;
  readonly enabled: number;
  readonly bookable: string | null;
  readonly out_of_order: string | null;
  readonly auto_out_of_order: string | null;
};

/** One unit that is not deleted. */
export async function findUnitRow(db: Db, at: UnitAt): Promise<UnitRow | undefined> {
  const [row] = await runPrepared(db, 'unit of an overview', { ...at }, (slot) =>
    unitRows(db, slot).where('u.unit_id', '=', slot<number>('unitId')),
  );
  return row;
}

/** Units of a location that are not deleted. */
export function listUnitRows(db: Db, at: LocationAt, slice: Slice): Promise<UnitRow[]> {
  return runSlice(db, 'units of an overview', { ...at }, slice, (slot) =>
    cut(unitRows(db, slot), 'u.unit_id', slice, slot),
  );
}

const unitRows = (db: Db, slot: At) =>
  unitsOf(db, slot)
    .leftJoin('unit_settings as bookable', (join) => join.on(settingOf('bookable', 'Bookable')))
    .leftJoin('unit_settings as broken', (join) => join.on(settingOf('broken', 'OutOfOrder')))
    .leftJoin('unit_settings as failed', (join) => join.on(settingOf('failed', 'AutoOutOfOrder')))
    .select(['u.unit_id', 'u.name', 'u.unit_type', 'u.packed_type', 'u.enabled'])
    .select(['bookable.value as bookable', 'broken.value as out_of_order', 'failed.value as auto_out_of_order']);

const unitsOf = (db: Db, slot: At) =>
  db
    .selectFrom('units as u')
    .where('u.bank_id', '=', slot<number>('bankId'))
    .where('u.location_id', '=', slot<number>('locationId'))
    .where('u.deleted_at', 'is', null);

/** A unit's setting of this name, by the whole of its key. */
const settingOf = (alias: string, name: string) =>
  sql<boolean>`${sql.ref(`${alias}.bank_id`)} = u.bank_id and ${sql.ref(`${alias}.location_id`)} = u.location_id
    and ${sql.ref(`${alias}.unit_id`)} = u.unit_id and ${sql.ref(`${alias}.name`)} = ${sql.lit(name)}`;

export type UnitContact = StoredType & { readonly unit_id: number; readonly last_contact_at: number | null };

/** When units of a location were last heard of. */
export function listUnitContacts(db: Db, at: LocationAt, slice: Slice): Promise<UnitContact[]> {
  return runSlice(db, 'contacts of units', { ...at }, slice, (slot) =>
    cut(
      unitsOf(db, slot).select(['u.unit_id', 'u.unit_type', 'u.packed_type', 'u.last_contact_at']),
      'u.unit_id',
      slice,
      slot,
    ),
  );
}

export type UnitName = StoredType & { readonly unit_id: number; readonly name: string };

/** What all units of a location are called. */
export function listUnitNames(db: Db, at: LocationAt): Promise<UnitName[]> {
  return runPrepared(db, 'names of units', { ...at }, (slot) =>
    unitsOf(db, slot).select(['u.unit_id', 'u.name', 'u.unit_type', 'u.packed_type']),
  );
}
