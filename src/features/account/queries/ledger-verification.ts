// Reads a bank's ledger for its verification, in batches and without any filter.

import type { Db } from '../../../database/db.ts';
import type { Tables } from '../../../database/tables.ts';
import { findCoveredBank, isWhole, type WholeGrantedBank } from '../../../permissions/coverage.ts';
import type { Scope } from '../../../permissions/scope.ts';

/** The banks with a ledger that the scope covers as a whole, by id. */
export async function listLedgerBanks(db: Db, scope: Scope): Promise<WholeGrantedBank[]> {
  const rows = await db.selectFrom('ledgers').select('bank_id').orderBy('bank_id').execute();
  return rows.flatMap(({ bank_id: bankId }) => {
    const bank = findCoveredBank(scope, { bankId });
    return bank !== undefined && isWhole(bank) ? [bank] : [];
  });
}

/** Throws if the bank has no ledger. */
export const getLedger = (db: Db, { bankId }: WholeGrantedBank): Promise<Tables['ledgers']> =>
  db.selectFrom('ledgers').selectAll().where('bank_id', '=', bankId).executeTakeFirstOrThrow();

/** Sorted by period. */
export const listClosings = (db: Db, { bankId }: WholeGrantedBank): Promise<Tables['settlement_periods'][]> =>
  db.selectFrom('settlement_periods').selectAll().where('bank_id', '=', bankId).orderBy('period').execute();

/** Every posting in the order of the ids, also of invalid ones. */
export function streamPostings(db: Db, { bankId }: WholeGrantedBank, batchSize: number) {
  const query = db.selectFrom('postings').selectAll().where('bank_id', '=', bankId).orderBy('posting_id');
  return streamBatches(
    (after) => (after === undefined ? query : query.where('posting_id', '>', after)).limit(batchSize).execute(),
    ({ posting_id }) => posting_id,
  );
}

/** `read` reads the rows after the last one of the batch before, by its id. */
async function* streamBatches<T>(
  read: (after: number | undefined) => Promise<T[]>,
  idOf: (row: T) => number,
): AsyncGenerator<T[]> {
  for (let rows = await read(undefined), last = rows.at(-1); last !== undefined; last = rows.at(-1)) {
    yield rows;
    rows = await read(idOf(last));
  }
}

export const listPostingsByIds = (
  db: Db,
  { bankId }: WholeGrantedBank,
  ids: readonly number[],
): Promise<Tables['postings'][]> =>
  db.selectFrom('postings').selectAll().where('bank_id', '=', bankId).where('posting_id', 'in', ids).execute();

/** Those of the postings that several reversals name. There are none unless somebody has dropped the unique key. */
export async function listReversedTwice(
  db: Db,
  { bankId }: WholeGrantedBank,
  ids: readonly number[],
): Promise<number[]> {
  const rows = await db
    .selectFrom('postings')
    .select('reversal_of')
    .where('bank_id', '=', bankId)
    .where('reversal_of', 'in', ids)
    .groupBy('reversal_of')
    .having(({ fn }) => fn.countAll(), '>', 1)
    .execute();
  return rows.map(({ reversal_of }) => Number(reversal_of));
}

/** Every stored roll-up, one grain of one location or unit at a time. */
export async function* streamRollups(db: Db, { bankId }: WholeGrantedBank): AsyncGenerator<Tables['posting_rollups']> {
  const rollups = db.selectFrom('posting_rollups').where('bank_id', '=', bankId);
  const groups = await rollups.select(['location_id', 'unit_id', 'grain']).distinct().execute();
  for (const { location_id, unit_id, grain } of groups)
    yield* await rollups
      .selectAll()
      .where('location_id', '=', location_id)
      .where('unit_id', '=', unit_id)
      .where('grain', '=', grain)
      .execute();
}

const residentBatchSize = 500;

/** Every stored roll-up of residents, some residents at a time. */
export async function* streamResidentRollups(
  db: Db,
  { bankId }: WholeGrantedBank,
): AsyncGenerator<Tables['resident_rollups']> {
  const rollups = db.selectFrom('resident_rollups').where('bank_id', '=', bankId);
  const residents = await rollups.select('user_id').distinct().orderBy('user_id').execute();
  for (let from = 0; from < residents.length; from += residentBatchSize) {
    const batch = residents.slice(from, from + residentBatchSize).map(({ user_id }) => user_id);
    yield* await rollups.selectAll().where('user_id', 'in', batch).execute();
  }
}

/** The number of records that were queued for the bank's devices. */
export async function countQueuedDeviceSyncs(db: Db, { bankId }: WholeGrantedBank): Promise<number> {
  const row = await db
    .selectFrom('device_sync_heads')
    .select('queued')
    .where('bank_id', '=', bankId)
    .executeTakeFirst();
  return row?.queued ?? 0;
}

const deviceSyncBatchSize = 500;

/** Every record for the bank's devices, in the order of the ids. */
export function streamDeviceSyncs(db: Db, { bankId }: WholeGrantedBank) {
  const query = db.selectFrom('device_sync').selectAll().where('bank_id', '=', bankId).orderBy('sync_id');
  return streamBatches(
    (after) => (after === undefined ? query : query.where('sync_id', '>', after)).limit(deviceSyncBatchSize).execute(),
    ({ sync_id }) => sync_id,
  );
}
