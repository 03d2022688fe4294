// Reads settlement periods, and their sums from the roll-ups, at a cost that does not depend on the number of postings.

import { rollupUpsertColumns } from '../../account/rules/rollups.ts';
import { sql } from 'kysely';
import type { Db } from '../../../database/db.ts';
import type { WholeGrantedBank } from '../../../permissions/coverage.ts';
import { amountSigns } from '../../account/rules/posting-kinds.ts';
import type { PartialSum } from '../../account/rules/rollups.ts';
import { grains } from '../../account/rules/time-buckets.ts';

/** A stored settlement period. The open one has not ended and is not closed. */
export type StoredPeriod = {
  readonly period: number;
  readonly fromAt: number;
  readonly throughAt: number | null;
  readonly closedAt: number | null;
  /** The link of the closing in the ledger's hash chain. */
  readonly chain: string | null;
};

/** Newest first. */
export const listClosedPeriods = (db: Db, bank: WholeGrantedBank): Promise<StoredPeriod[]> =>
  selectClosedPeriods(db, bank).orderBy('period', 'desc').execute();

export const findClosedPeriod = (db: Db, bank: WholeGrantedBank, period: number): Promise<StoredPeriod | undefined> =>
  selectClosedPeriods(db, bank).where('period', '=', period).executeTakeFirst();

const selectClosedPeriods = (db: Db, { bankId }: WholeGrantedBank) =>
  db
    .selectFrom('settlement_periods')
    .select(['period', 'from_at as fromAt', 'through_at as throughAt', 'closed_at as closedAt', 'chain'])
    .where('bank_id', '=', bankId);

export type PeriodPartialSum = PartialSum & { readonly period: number; readonly location_id: number };

/** The sums of the whole bank by period, of one period or of all. */
export const listPeriodPartialSums = (db: Db, bank: WholeGrantedBank, period?: number): Promise<PeriodPartialSum[]> =>
  selectPartialSums(db, bank, [0], period).execute();

/** The sums of a period by location, without the postings that belong to no location. */
export async function listLocationPartialSums(
  db: Db,
  bank: WholeGrantedBank,
  period: number,
): Promise<PeriodPartialSum[]> {
  const locations = await listPostedLocationIds(db, bank);
  return locations.length === 0 ? [] : selectPartialSums(db, bank, locations, period).execute();
}

function selectPartialSums(
  db: Db,
  { bankId }: WholeGrantedBank,
  locationIds: readonly number[],
  period: number | undefined,
) {
  let query = db
    .selectFrom('posting_rollups')
    .select(['bucket as period', 'location_id', 'currency'])
    .select(({ fn }) => rollupUpsertColumns.sum.map((column) => fn.sum<number>(column).as(column)))
    .where('bank_id', '=', bankId)
    .where('location_id', 'in', locationIds)
    .where('unit_id', '=', 0)
    .where('grain', '=', grains.period)
    .groupBy(['location_id', 'bucket', 'currency', sql`posting_class % 3 = ${sql.lit(amountSigns.debit)}`]);
  if (period !== undefined) query = query.where('bucket', '=', period);
  return query;
}

/**
 * The locations of the bank's postings, whether they exist or not. The index is searched for each next one, because
 * reading all roll-ups would take longer.
 */
async function listPostedLocationIds(db: Db, { bankId }: WholeGrantedBank): Promise<number[]> {
  const { rows } = await sql<{ id: number | null }>`
    with recursive posted(id) as (
      select min(location_id) from posting_rollups where bank_id = ${bankId} and location_id <> 0
      union all
      select (select min(r.location_id) from posting_rollups r where r.bank_id = ${bankId} and r.location_id > posted.id)
      from posted where posted.id is not null
    )
    select id from posted`.execute(db);
  return rows.flatMap(({ id }) => (id === null ? [] : [id]));
}

/** The number of the bank's postings in the periods before this one. */
export async function countPostingsBeforePeriod(db: Db, { bankId }: WholeGrantedBank, period: number): Promise<number> {
  const { count = 0 } =
    (await db
      .selectFrom('posting_rollups')
      .select(({ fn }) => fn.sum<number | null>('count').as('count'))
      .where('bank_id', '=', bankId)
      .where('location_id', '=', 0)
      .where('unit_id', '=', 0)
      .where('grain', '=', grains.period)
      .where('bucket', '<', period)
      .executeTakeFirst()) ?? {};
  return count ?? 0;
}
