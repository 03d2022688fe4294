// Locations of a bank as overviews show them, and which types of units they hold.

import { sql } from 'kysely';
import type { Db } from '../../../database/db.ts';
import type { BindParameter } from '../../../database/prepared-query.ts';
import type { Tables } from '../../../database/tables.ts';
import type { Coverage } from '../../../permissions/coverage.ts';
import type { BankKey } from '../../../permissions/coverage.ts';
import { packedTypeMask } from '../rules/unit-types.ts';
import { applySlice, runSliceQuery, type RowSlice } from './row-slice.ts';

type BankCoverage = Exclude<Coverage, undefined>;

export type LocationOverviewRow = Pick<
  Tables['locations'],
  'location_id' | 'name' | 'icon' | 'address' | 'zip' | 'time_zone' | 'enabled'
>;

/** Locations of a bank that the reach covers, deleted ones left out. */
export function listLocationOverviewRows(
  db: Db,
  at: BankKey,
  coverage: BankCoverage,
  slice: RowSlice,
): Promise<LocationOverviewRow[]> {
  const queryName = coverage === 'all' ? 'locations of an overview' : undefined;
  return runSliceQuery(db, queryName, { ...at }, slice, (slot) => {
    const rows = selectCoveredLocations(db, coverage, slot).select([
      'name',
      'icon',
      'address',
      'zip',
      'time_zone',
      'enabled',
    ]);
    return applySlice(rows, 'location_id', slice, slot);
  });
}

export type LocationSearchRow = Pick<LocationOverviewRow, 'location_id' | 'name' | 'address' | 'zip'>;

/** What all of them are called, and where they are. */
export function listLocationSearchRows(db: Db, { bankId }: BankKey, reach: BankCoverage): Promise<LocationSearchRow[]> {
  return selectCoveredLocations(db, reach, () => sql`${bankId}`)
    .select(['name', 'address', 'zip'])
    .execute();
}

function selectCoveredLocations(db: Db, coverage: BankCoverage, bind: BindParameter) {
  const all = db
    .selectFrom('locations')
    .select('location_id')
    .where('bank_id', '=', bind<number>('bankId'))
    .where('deleted_at', 'is', null);
  return coverage === 'all' ? all : all.where('location_id', 'in', [...coverage]);
}

export type UnitTypeCount = {
  readonly location_id: number;
  /** 0 where the units have none. */
  readonly code: number;
  readonly count: number;
};

/** How many units of which type these locations of a bank hold, by location and type. */
export async function countUnitTypes(
  db: Db,
  { bankId }: BankKey,
  locationIds: readonly number[],
): Promise<UnitTypeCount[]> {
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
