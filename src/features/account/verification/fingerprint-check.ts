// Every posting has the fingerprint that its fields make.

import { computeFingerprint } from '../rules/fingerprint.ts';
import type { LedgerCheck } from './ledger-check.ts';

export const fingerprintCheck: LedgerCheck = ({ report }) => ({
  postings: (rows) => {
    for (const row of rows) {
      const computed = computeFingerprint(row);
      if (computed === BigInt(row.fingerprint)) continue;
      report({
        kind: 'fingerprint',
        key: `posting ${row.posting_id}`,
        stored: String(row.fingerprint),
        computed: String(computed),
      });
    }
  },
});
