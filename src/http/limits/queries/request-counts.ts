// Stores what each process has counted of the requests of principals, and reads what the others have.

import type { Db, WriteDb } from '../../../database/db.ts';
import { countedWindowMs } from '../shared-window.ts';

export type RequestCount = {
  /** MS2000. */
  readonly windowStart: number;
  readonly principal: string;
  readonly requests: number;
};

/** In one statement. Each process has rows of its own with its whole count: stored twice, a count is not doubled. */
export async function storeRequestCounts(db: WriteDb, process: string, counts: readonly RequestCount[]): Promise<void> {
  const rows = counts.map(({ windowStart, principal, requests }) => ({
    window_start: windowStart,
    principal,
    process,
    requests,
  }));
  await db.dialect.upsertRows(db, 'request_counts', rows, {
    key: ['window_start', 'principal', 'process'],
    sum: [],
    max: ['requests'],
  });
}

/** What each other process has counted of these. */
export async function listCountsElsewhere(
  db: Db,
  process: string,
  counts: readonly RequestCount[],
): Promise<RequestCount[]> {
  const rows = await db
    .selectFrom('request_counts')
    .select(['window_start', 'principal', 'requests'])
    .where('window_start', 'in', [...new Set(counts.map(({ windowStart }) => windowStart))])
    .where('principal', 'in', [...new Set(counts.map(({ principal }) => principal))])
    .where('process', '<>', process)
    .execute();
  return rows.map(({ window_start, principal, requests }) => ({ windowStart: window_start, principal, requests }));
}

/**
 * Deletes what counts no longer. The clocks of two processes may differ: the minutes before and after this one stay. Rows of
 * a distant future were stored under a clock that was wrong.
 */
export async function deleteOtherRequestCounts(db: WriteDb, now: number): Promise<void> {
  await db
    .deleteFrom('request_counts')
    .where((is) =>
      is.or([is('window_start', '<', now - 2 * countedWindowMs), is('window_start', '>', now + countedWindowMs)]),
    )
    .execute();
}
