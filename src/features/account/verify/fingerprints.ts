// Every posting has the fingerprint that its fields make.

import { fingerprintOf } from '../rules/fingerprint.ts';
import type { LedgerCheck } from './check.ts';

export const fingerprintCheck: LedgerCheck = ({ tell }) => ({
  postings: (rows) => {
    for (const row of rows) {
      const computed = fingerprintOf(row);
      if (computed === BigInt(row.fingerprint)) continue;
      tell({
        kind: 'fingerprint',
        key: `posting ${row.posting_id}`,
        stored: String(row.fingerprint),
        computed: String(computed),
      });
    }
  },
});
