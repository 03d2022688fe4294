// Proves a bank's roll-ups and fingerprints against its postings: everything is computed anew, any difference is told.

import type { Db } from '../../../database/db.ts';
import { runLedgerChecks, type LedgerDifference } from './ledger-check.ts';
import { fingerprintCheck } from './fingerprint-check.ts';
import { residentRollupCheck, rollupCheck } from './rollup-checks.ts';

export type LedgerVerification = {
  readonly postingCount: number;
  readonly rollupCount: number;
  /** How many there are; the first of them are told. */
  readonly differenceCount: number;
  readonly differences: readonly LedgerDifference[];
};

const maxListedDifferences = 1000;

/** `batchRows` postings are in memory at a time. */
export async function verifyLedger(db: Db, bankId: number, batchRows?: number): Promise<LedgerVerification> {
  const differences: LedgerDifference[] = [];
  let differenceCount = 0;
  const report = (difference: LedgerDifference): void => {
    differenceCount += 1;
    if (differences.length < maxListedDifferences) differences.push(difference);
  };
  const counts = await runLedgerChecks(db, bankId, [fingerprintCheck, rollupCheck, residentRollupCheck], {
    tell: report,
    ...(batchRows === undefined ? {} : { batchRows }),
  });
  return {
    postingCount: counts['postings'] ?? 0,
    rollupCount: (counts['roll-ups'] ?? 0) + (counts['resident roll-ups'] ?? 0),
    differenceCount,
    differences,
  };
}
