// Reads, stores and deletes the counts of failed attempts: of wrong passwords and wrong enrolment codes.

import type { Db, WriteDb } from '../../../database/db.ts';
import { runPrepared } from '../../../database/statements/prepared-query.ts';
import type { FailureCount } from '../rules/failure-limits.ts';

/** By the hash of the counter. */
export type FailureCounts = ReadonlyMap<string, FailureCount>;

/** Reads in one statement. */
export async function readFailureCounts(db: Db, hashes: readonly string[]): Promise<FailureCounts> {
  const values = Object.fromEntries(hashes.map((each, index) => [`hash${index}`, each]));
  const rows = await runPrepared(db, `failure counts ${hashes.length}`, values, (bind) =>
    db
      .selectFrom('login_failures')
      .select(['counter_hash', 'failures', 'ends_at'])
      .where(
        'counter_hash',
        'in',
        hashes.map((_, index) => bind<string>(`hash${index}`)),
      ),
  );
  return new Map(rows.map(({ counter_hash, failures, ends_at }) => [counter_hash, { failures, endsAt: ends_at }]));
}

/**
 * Locks the counters, whether they are stored or not, and returns what is stored. In one order, so that no two
 * transactions wait for each other.
 */
export async function lockFailureCounts(db: WriteDb, hashes: readonly string[]): Promise<FailureCounts> {
  const rows = hashes.toSorted().map((each) => ({ counter_hash: each, failures: 0, ends_at: 0 }));
  await db.dialect.upsertRows(db, 'login_failures', rows, { key: ['counter_hash'], sum: ['failures'] });
  return readFailureCounts(db, hashes);
}

export async function storeFailureCount(db: WriteDb, counterHash: string, count: FailureCount): Promise<void> {
  await db
    .updateTable('login_failures')
    .set({ failures: count.failures, ends_at: count.endsAt })
    .where('counter_hash', '=', counterHash)
    .execute();
}

export async function deleteFailureCount(db: WriteDb, counterHash: string): Promise<void> {
  await db.deleteFrom('login_failures').where('counter_hash', '=', counterHash).execute();
}

/** Those that do not count any longer. */
export async function deleteEndedFailureCounts(db: WriteDb, now: number): Promise<void> {
  await db.deleteFrom('login_failures').where('ends_at', '<=', now).execute();
}
