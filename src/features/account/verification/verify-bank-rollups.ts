// Verifies a bank's roll-ups and fingerprints against its postings.

import type { Db } from '../../../database/db.ts';
import type { WholeGrantedBank } from '../../../permissions/coverage.ts';
import { fingerprintCheck } from './chain-check.ts';
import type { LedgerDifference } from './ledger-check.ts';
import { residentRollupCheck, rollupCheck } from './stored-sums-check.ts';
import { runLedgerChecks } from './run-ledger-checks.ts';

export type RollupVerification = {
  readonly postingCount: number;
  readonly rollupCount: number;
  readonly differenceCount: number;
  /** At most 1000 of each kind. */
  readonly differences: readonly LedgerDifference[];
};

const maxListedPerKind = 1000;

export async function verifyBankRollups(
  db: Db,
  bank: WholeGrantedBank,
  batchSize?: number,
): Promise<RollupVerification> {
  const checks = [fingerprintCheck, rollupCheck, residentRollupCheck];
  const { counts, differences } = await runLedgerChecks(db, bank, checks, { batchSize, maxListedPerKind });
  return {
    postingCount: counts['postings'] ?? 0,
    rollupCount: (counts['roll-ups'] ?? 0) + (counts['resident roll-ups'] ?? 0),
    differenceCount: differences.reduce((sum, { count }) => sum + count, 0),
    differences: differences.flatMap(({ listed }) => listed),
  };
}
