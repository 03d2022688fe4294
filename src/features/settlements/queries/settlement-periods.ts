// Settlement periods and their sums, from the ledger's roll-ups: what they cost does not depend on how much they hold.

import { sql } from 'kysely';
import type { Db } from '../../../database/db.ts';
import { amountSigns } from '../../account/rules/kinds.ts';
import type { PartialSum } from '../../account/rules/rollups.ts';
import { grains } from '../../account/rules/segments.ts';

/** A settlement period as it is stored; the open one has neither an end nor a closing. */
export type SettlementPeriod = {
  readonly period: number;
  readonly fromAt: number;
  readonly throughAt: number | null;
  readonly closedAt: number | null;
  /** The link of its closing in the ledger's hash chain. */
  readonly chain: string | null;
};

/** The closed periods, newest first, or one of them. */
export async function listClosedPeriods(db: Db, bankId: number, period?: number): Promise<SettlementPeriod[]> {
  let query = db
    .selectFrom('settlement_periods')
    .select(['period', 'from_at', 'through_at', 'closed_at', 'chain'])
    .where('bank_id', '=', bankId)
    .orderBy('period', 'desc');
  if (period !== undefined) query = query.where('period', '=', period);
  const rows = await query.execute();
  return rows.map(({ from_at, through_at, closed_at, ...rest }) => ({
    ...rest,
    fromAt: from_at,
    throughAt: through_at,
    closedAt: closed_at,
  }));
}

export type PeriodPartialSum = PartialSum & { readonly period: number; readonly location_id: number };

/** The sums of the whole bank by period, of one period or of all. */
export const listPeriodPartialSums = (db: Db, bankId: number, period?: number): Promise<PeriodPartialSum[]> =>
  selectPartialSums(db, bankId, [0], period).execute();

/** The sums of a period by location; what belongs to none is not among them. */
export async function listLocationPartialSums(db: Db, bankId: number, period: number): Promise<PeriodPartialSum[]> {
  const locations = await listPostedLocationIds(db, bankId);
  return locations.length === 0 ? [] : selectPartialSums(db, bankId, locations, period).execute();
}

function selectPartialSums(db: Db, bankId: number, locationIds: readonly number[], period: number | undefined) {
  let query = db
    .selectFrom('posting_rollups')
    .select(({ fn }) => [
      'bucket as period',
      'location_id',
      'currency',
      fn.sum<number>('count').as('count'),
      fn.sum<number>('amount_high').as('amount_high'),
      fn.sum<number>('amount_low').as('amount_low'),
      fn.sum<number>('fingerprint_high').as('fingerprint_high'),
      fn.sum<number>('fingerprint_low').as('fingerprint_low'),
    ])
    .where('bank_id', '=', bankId)
    .where('location_id', 'in', locationIds)
    .where('unit_id', '=', 0)
    .where('grain', '=', grains.period)
    .groupBy(['location_id', 'bucket', 'currency', sql`posting_class % 3 = ${sql.lit(amountSigns.debit)}`]);
  if (period !== undefined) query = query.where('bucket', '=', period);
  return query;
}

/** The locations that postings of the bank name, whether they exist or not: each is sought right after the one before. */
async function listPostedLocationIds(db: Db, bankId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number | null }>`
    with recursive named(id) as (
      select min(location_id) from posting_rollups where bank_id = ${bankId} and location_id <> 0
      union all
      select (select min(r.location_id) from posting_rollups r where r.bank_id = ${bankId} and r.location_id > named.id)
      from named where named.id is not null
    )
    select id from named`.execute(db);
  return rows.flatMap(({ id }) => (id === null ? [] : [id]));
}

/** How many postings the bank has in the periods before one. */
export async function countPostingsBeforePeriod(db: Db, bankId: number, period: number): Promise<number> {
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
