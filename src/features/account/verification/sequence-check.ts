// Ids of a ledger have no gap, begin with 1, and end right before the one that is next.

import type { LedgerCheck } from './ledger-check.ts';

export const sequenceCheck: LedgerCheck = ({ head: { next_posting_id: nextPostingId }, report }) => {
  let expected = 1;
  const reportMissing = (until: number): void => {
    if (expected >= until) return;
    const last = until - 1;
    const key = last === expected ? `posting ${expected}` : `postings ${expected} to ${last}`;
    report({ kind: 'missing posting', key, stored: undefined, computed: `ids up to ${nextPostingId - 1}` });
    expected = until;
  };
  return {
    postings: (rows) => {
      for (const { posting_id } of rows) {
        if (posting_id < 1 || posting_id >= nextPostingId) {
          report({
            kind: 'posting beyond the head',
            key: `posting ${posting_id}`,
            stored: 'a posting',
            computed: `ids from 1 to ${nextPostingId - 1}`,
          });
          continue;
        }
        reportMissing(posting_id);
        expected = posting_id + 1;
      }
    },
    end: () => reportMissing(nextPostingId),
  };
};
