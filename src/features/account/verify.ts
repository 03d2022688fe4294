// Proves a bank's roll-ups and fingerprints against its postings: everything is computed anew, any difference is told.

import type { Db } from '../../database/dialect.ts';
import { runChecks, type Damage } from './verify/check.ts';
import { fingerprintCheck } from './verify/fingerprints.ts';
import { residentRollupCheck, rollupCheck } from './verify/rollups.ts';

export type Verdict = {
  readonly postings: number;
  readonly rollups: number;
  /** How many there are; the first of them are told. */
  readonly differing: number;
  readonly differences: readonly Damage[];
};

const maxDifferences = 1000;

/** `batchRows` postings are in memory at a time. */
export async function verifyLedger(db: Db, bankId: number, batchRows?: number): Promise<Verdict> {
  const differences: Damage[] = [];
  let differing = 0;
  const tell = (damage: Damage): void => {
    differing += 1;
    if (differences.length < maxDifferences) differences.push(damage);
  };
  const counts = await runChecks(db, bankId, [fingerprintCheck, rollupCheck, residentRollupCheck], {
    tell,
    ...(batchRows === undefined ? {} : { batchRows }),
  });
  return {
    postings: counts['postings'] ?? 0,
    rollups: (counts['roll-ups'] ?? 0) + (counts['resident roll-ups'] ?? 0),
    differing,
    differences,
  };
}
