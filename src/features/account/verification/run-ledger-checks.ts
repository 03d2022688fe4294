// Runs checks over a bank's ledger in one snapshot, in batches of postings.

import type { Db } from '../../../database/db.ts';
import type { WholeGrantedBank } from '../../../permissions/coverage.ts';
import { getLedger, listClosings, streamPostings } from '../queries/ledger-verification.ts';
import type { CheckedCounts, LedgerCheck, LedgerDifference, LedgerDifferences } from './ledger-check.ts';

type LedgerCheckOptions = {
  /** The number of postings in memory at a time. */
  readonly batchSize?: number | undefined;
  /** The number of differences of each kind that are listed; all of them are counted. */
  readonly maxListedPerKind: number;
};

type DifferencesOfKind = {
  readonly kind: string;
  readonly count: number;
  /** In the order in which they were found. */
  readonly listed: readonly LedgerDifference[];
};

export type LedgerCheckResult = {
  readonly counts: CheckedCounts;
  /** In the order in which the first of each kind was found. */
  readonly differences: readonly DifferencesOfKind[];
};

const defaultBatchSize = 5000;

export async function runLedgerChecks(
  db: Db,
  bank: WholeGrantedBank,
  checks: readonly LedgerCheck[],
  { batchSize = defaultBatchSize, maxListedPerKind }: LedgerCheckOptions,
): Promise<LedgerCheckResult> {
  const [head, closings] = await Promise.all([getLedger(db, bank), listClosings(db, bank)]);
  const ledger = { db, bank, head, closings: new Map(closings.map((closing) => [closing.period, closing])) };
  const running = checks.map((check) => check(ledger));
  const collector = new DifferenceCollector(maxListedPerKind);
  let postingCount = 0;
  for await (const rows of streamPostings(db, bank, batchSize)) {
    postingCount += rows.length;
    for (const { checkPostings } of running) await collector.addAll(checkPostings?.(rows));
  }
  for (const { finish } of running) await collector.addAll(finish?.());
  const counts: CheckedCounts[] = running.map((check) => check.counts?.() ?? {});
  return { counts: Object.assign({ postings: postingCount }, ...counts), differences: collector.list() };
}

class DifferenceCollector {
  readonly #maxListedPerKind: number;
  readonly #byKind = new Map<string, { count: number; listed: LedgerDifference[] }>();

  constructor(maxListedPerKind: number) {
    this.#maxListedPerKind = maxListedPerKind;
  }

  async addAll(differences: LedgerDifferences = []): Promise<void> {
    for await (const difference of differences) this.#add(difference);
  }

  list(): DifferencesOfKind[] {
    return [...this.#byKind].map(([kind, { count, listed }]) => ({ kind, count, listed }));
  }

  #add(difference: LedgerDifference): void {
    let ofKind = this.#byKind.get(difference.kind);
    if (ofKind === undefined) this.#byKind.set(difference.kind, (ofKind = { count: 0, listed: [] }));
    ofKind.count += 1;
    if (ofKind.listed.length < this.#maxListedPerKind) ofKind.listed.push(difference);
  }
}
