// Lists the locations of a bank for overviews, and the deleted ones. Counts the units of locations by type.

import { sql } from 'kysely';
import type { Db } from '../../../database/db.ts';
import type { BindParameter } from '../../../database/statements/prepared-query.ts';
import type { Tables } from '../../../database/tables.ts';
import type { GrantedBank } from '../../../permissions/coverage.ts';
import { packedTypeMask } from '../rules/unit-types.ts';
import { applySlice, runSliceQuery, type RowSlice } from './row-slice.ts';

const shownColumns = ['name', 'icon', 'address', 'zip', 'latitude', 'longitude', 'time_zone', 'enabled'] as const;

export type LocationOverviewRow = Pick<Tables['locations'], 'location_id' | (typeof shownColumns)[number]>;

/** Locations that the grants cover, without deleted ones. */
export function listLocationOverviewRows(db: Db, bank: GrantedBank, slice: RowSlice): Promise<LocationOverviewRow[]> {
  const shape = bank.coverage === 'all' ? 'locations of an overview' : undefined;
  return runSliceQuery(db, { shape, values: bank, slice }, (bind) =>
    applySlice(selectCoveredLocations(db, bank, bind).select(shownColumns), 'location_id', slice, bind),
  );
}

export type LocationSearchRow = Pick<LocationOverviewRow, 'location_id' | 'name' | 'address' | 'zip' | 'enabled'>;

/** The texts by which the same locations are searched and sorted. */
export const listLocationSearchRows = (db: Db, bank: GrantedBank): Promise<LocationSearchRow[]> =>
  selectCoveredLocations(db, bank, () => sql`${bank.bankId}`)
    .select(['name', 'address', 'zip', 'enabled'])
    .execute();

function selectCoveredLocations(db: Db, { coverage }: GrantedBank, bind: BindParameter) {
  const all = db
    .selectFrom('locations')
    .select('location_id')
    .where('bank_id', '=', bind<number>('bankId'))
    .where('deleted_at', 'is', null);
  return coverage === 'all' ? all : all.where('location_id', 'in', [...coverage]);
}

export type UnitTypeCountRow = {
  readonly location_id: number;
  /** 0: the type is unknown. */
  readonly code: number;
  readonly count: number;
};

/** The number of units by location and type, in these locations of a bank. */
export async function countUnitTypes(
  db: Db,
  { bankId }: GrantedBank,
  locationIds: readonly number[],
): Promise<UnitTypeCountRow[]> {
  if (locationIds.length === 0) return [];
  return db
    .selectFrom('units')
    .select(['location_id', typeCodeSql.as('code')])
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
const typeCodeSql = sql<number>`case when unit_type > 0 then unit_type
  else (coalesce(packed_type, 0) >> 1) & ${sql.lit(packedTypeMask)} end`;

export async function listDeletedLocationIds(db: Db, { bankId }: GrantedBank): Promise<number[]> {
  const rows = await db
    .selectFrom('locations')
    .select('location_id')
    .where('bank_id', '=', bankId)
    .where('deleted_at', 'is not', null)
    .execute();
  return rows.map(({ location_id }) => location_id);
}
