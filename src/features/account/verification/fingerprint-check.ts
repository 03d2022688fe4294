// Checks that the fingerprint of every posting is that of its fields.

import { computeFingerprint } from '../rules/fingerprint.ts';
import type { LedgerCheck } from './ledger-check.ts';

export const fingerprintCheck: LedgerCheck = () => ({
  *checkPostings(rows) {
    for (const row of rows) {
      const computed = computeFingerprint(row);
      if (computed === BigInt(row.fingerprint)) continue;
      yield {
        kind: 'fingerprint',
        key: `posting ${row.posting_id}`,
        stored: String(row.fingerprint),
        computed: String(computed),
      };
    }
  },
});
