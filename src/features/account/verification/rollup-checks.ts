// Roll-ups are exactly what the postings sum up to.

import type { Db } from '../../../database/db.ts';
import type { Tables } from '../../../database/tables.ts';
import { residentRollupUpsertColumns, computeResidentRollups } from '../rules/resident-rollups.ts';
import { rollupUpsertColumns, computeRollups } from '../rules/rollups.ts';
import { createStoredSumsCheck } from './stored-sums-check.ts';

export const rollupCheck = createStoredSumsCheck({
  rowName: 'roll-up',
  upsertColumns: rollupUpsertColumns,
  computeRows: computeRollups,
  streamStoredRows: streamStoredRollups,
});

export const residentRollupCheck = createStoredSumsCheck({
  rowName: 'resident roll-up',
  upsertColumns: residentRollupUpsertColumns,
  computeRows: computeResidentRollups,
  streamStoredRows: streamStoredResidentRollups,
});

/** One grain of one location at a time. */
async function* streamStoredRollups(db: Db, bankId: number): AsyncGenerator<Tables['posting_rollups']> {
  const rollupGroups = await db
    .selectFrom('posting_rollups')
    .select(['location_id', 'unit_id', 'grain'])
    .distinct()
    .where('bank_id', '=', bankId)
    .execute();
  for (const { location_id, unit_id, grain } of rollupGroups) {
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

const residentBatchSize = 500;

/** Some residents at a time. */
async function* streamStoredResidentRollups(db: Db, bankId: number): AsyncGenerator<Tables['resident_rollups']> {
  const own = db.selectFrom('resident_rollups').where('bank_id', '=', bankId);
  const residents = await own.select('user_id').distinct().orderBy('user_id').execute();
  for (let from = 0; from < residents.length; from += residentBatchSize) {
    const some = residents.slice(from, from + residentBatchSize).map(({ user_id }) => user_id);
    yield* await own.selectAll().where('user_id', 'in', some).execute();
  }
}
