// Roll-ups are exactly what the postings sum up to.

import type { Db } from '../../../database/dialect.ts';
import type { Tables } from '../../../database/tables.ts';
import { mergingResidentRollups, residentRollupsOf } from '../rules/resident-rollups.ts';
import { mergingRollups, rollupsOf } from '../rules/rollups.ts';
import { sumsCheck } from './sums.ts';

export const rollupCheck = sumsCheck({
  name: 'roll-up',
  merging: mergingRollups,
  of: rollupsOf,
  stored: storedRollups,
});

export const residentRollupCheck = sumsCheck({
  name: 'resident roll-up',
  merging: mergingResidentRollups,
  of: residentRollupsOf,
  stored: storedResidentRollups,
});

/** One grain of one location at a time. */
async function* storedRollups(db: Db, bankId: number): AsyncGenerator<Tables['posting_rollups']> {
  const stretches = await db
    .selectFrom('posting_rollups')
    .select(['location_id', 'unit_id', 'grain'])
    .distinct()
    .where('bank_id', '=', bankId)
    .execute();
  for (const { location_id, unit_id, grain } of stretches) {
    yield* await db
      .selectFrom('posting_rollups')
      .selectAll()
      .where('bank_id', '=', bankId)
      .where('location_id', '=', location_id)
      .where('unit_id', '=', unit_id)
      .where('grain', '=', grain)
      .execute();
  }
}

const residentsAtOnce = 500;

/** Some residents at a time. */
async function* storedResidentRollups(db: Db, bankId: number): AsyncGenerator<Tables['resident_rollups']> {
  const own = db.selectFrom('resident_rollups').where('bank_id', '=', bankId);
  const residents = await own.select('user_id').distinct().orderBy('user_id').execute();
  for (let from = 0; from < residents.length; from += residentsAtOnce) {
    const some = residents.slice(from, from + residentsAtOnce).map(({ user_id }) => user_id);
    yield* await own.selectAll().where('user_id', 'in', some).execute();
  }
}
