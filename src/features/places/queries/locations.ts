// Locations of a bank as overviews show them, and which types of units they hold.

import { sql } from 'kysely';
import type { Db } from '../../../database/dialect.ts';
import type { At } from '../../../database/prepared.ts';
import type { Tables } from '../../../database/tables.ts';
import type { Reach } from '../../../permissions/needs.ts';
import type { BankAt } from '../sight.ts';
import { packedBits } from '../unit-types.ts';
import { cut, runSlice, type Slice } from './slice.ts';

type Covered = Exclude<Reach, undefined>;

export type LocationRow = Pick<
  Tables['locations'],
  'location_id' | 'name' | 'icon' | 'address' | 'zip' | 'time_zone' | 'enabled'
>;

/** Locations of a bank that the reach covers, deleted ones left out. */
export function listLocationRows(db: Db, at: BankAt, reach: Covered, slice: Slice): Promise<LocationRow[]> {
  const shape = reach === 'all' ? 'locations of an overview' : undefined;
  return runSlice(db, shape, { ...at }, slice, (slot) => {
    const rows = locationsOf(db, reach, slot).select(['name', 'icon', 'address', 'zip', 'time_zone', 'enabled']);
    return cut(rows, 'location_id', slice, slot);
  });
}

export type LocationName = Pick<LocationRow, 'location_id' | 'name' | 'address' | 'zip'>;

/** What all of them are called, and where they are. */
export function listLocationNames(db: Db, { bankId }: BankAt, reach: Covered): Promise<LocationName[]> {
  return locationsOf(db, reach, () => sql`${bankId}`)
    .select(['name', 'address', 'zip'])
    .execute();
}

function locationsOf(db: Db, reach: Covered, slot: At) {
  const all = db
    .selectFrom('locations')
    .select('location_id')
    .where('bank_id', '=', slot<number>('bankId'))
    .where('deleted_at', 'is', null);
  return reach === 'all' ? all : all.where('location_id', 'in', [...reach]);
}

export type TypeCount = {
  readonly location_id: number;
  /** 0 where the units have none. */
  readonly code: number;
  readonly count: number;
};

/** How many units of which type these locations of a bank hold, by location and type. */
export async function countUnitTypes(db: Db, { bankId }: BankAt, locationIds: readonly number[]): Promise<TypeCount[]> {
  if (locationIds.length === 0) return [];
  return db
    .selectFrom('units')
    .select(['location_id', typeCode.as('code')])
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('bank_id', '=', bankId)
    .where('location_id', 'in', locationIds)
    .where('deleted_at', 'is', null)
    .groupBy(['location_id', 'code'])
    .orderBy('location_id')
    .orderBy('code')
    .execute();
}

/** `typeCodeOf`, as SQL. */
const typeCode = sql<number>`case when unit_type > 0 then unit_type
  else (coalesce(packed_type, 0) >> 1) & ${sql.lit(packedBits)} end`;
