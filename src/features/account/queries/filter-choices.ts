// Reads what an account shows of its bank besides the postings: closed periods, and deleted places that postings name.

import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Db } from '../../../database/db.ts';
import { coveredLocationIds, type GrantedBank } from '../../../permissions/coverage.ts';
import { grains } from '../rules/time-buckets.ts';

type ClosedPeriodRow = { readonly period: number; readonly from_at: number; readonly through_at: number };

const maxOfferedPeriods = 100;

/** The latest closed periods, newest first. With location grants, those in which a covered location has postings. */
export function listOfferedPeriods(db: Db, bank: GrantedBank): Promise<ClosedPeriodRow[]> {
  const { bankId } = bank;
  const locationIds = coveredLocationIds(bank);
  let query = db
    .selectFrom('settlement_periods as closed')
    .select(['period', 'from_at', 'through_at'])
    .where('bank_id', '=', bankId)
    .orderBy('period', 'desc')
    .limit(maxOfferedPeriods);
  if (locationIds !== undefined)
    query = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('posting_rollups as r')
          .select(sql<number>`1`.as('one'))
          .where('r.bank_id', '=', bankId)
          .where('r.location_id', 'in', locationIds.length === 0 ? [-1] : locationIds)
          .where('r.unit_id', '=', 0)
          .where('r.grain', '=', grains.period)
          .whereRef('r.bucket', '=', 'closed.period'),
      ),
    );
  return query.execute();
}

/** The deleted places that postings still name, as `location/unit`; the unit of a location itself is 0. */
export async function listPostedDeletedPlaces(db: Db, { bankId }: GrantedBank): Promise<Set<string>> {
  const locations = db
    .selectFrom('locations as place')
    .select(['place.location_id', sql<number>`0`.as('unit_id')])
    .where('place.bank_id', '=', bankId)
    .where('deleted_at', 'is not', null)
    .where(({ exists }) => exists(selectRollupsOfPlace(db, sql`0`)));
  const units = db
    .selectFrom('units as place')
    .select(['place.location_id', 'place.unit_id'])
    .where('place.bank_id', '=', bankId)
    .where('deleted_at', 'is not', null)
    .where(({ exists }) => exists(selectRollupsOfPlace(db, sql.ref('place.unit_id'))));
  const rows = await locations.unionAll(units).execute();
  return new Set(rows.map(({ location_id, unit_id }) => `${location_id}/${unit_id}`));
}

/** Compares the first columns of the roll-ups' primary key, so that each place costs one index look-up. */
function selectRollupsOfPlace(db: Db, unitId: RawBuilder<unknown>) {
  return db
    .selectFrom('posting_rollups as r')
    .select(sql<number>`1`.as('one'))
    .where(sql<SqlBool>`r.bank_id = place.bank_id and r.location_id = place.location_id and r.unit_id = ${unitId}`)
    .where('r.grain', '=', sql.lit(grains.period));
}
