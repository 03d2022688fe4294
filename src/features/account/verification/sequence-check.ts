// Checks that the ids of a ledger begin with 1, have no gap, and end before the next id of the head.

import type { LedgerCheck, LedgerDifference } from './ledger-check.ts';

export const sequenceCheck: LedgerCheck = ({ head: { next_posting_id: nextPostingId } }) => {
  const lastPostingId = nextPostingId - 1;
  let expected = 1;
  /** The gap between the expected id and a later one. */
  function* listMissing(until: number): Generator<LedgerDifference> {
    if (expected >= until) return;
    const last = until - 1;
    const key = last === expected ? `posting ${expected}` : `postings ${expected} to ${last}`;
    yield { kind: 'missing posting', key, stored: undefined, computed: `ids up to ${lastPostingId}` };
  }
  return {
    *checkPostings(rows) {
      for (const { posting_id } of rows) {
        if (posting_id < 1 || posting_id > lastPostingId) {
          yield {
            kind: 'posting beyond the head',
            key: `posting ${posting_id}`,
            stored: 'a posting',
            computed: `ids from 1 to ${lastPostingId}`,
          };
          continue;
        }
        yield* listMissing(posting_id);
        expected = posting_id + 1;
      }
    },
    finish: () => listMissing(nextPostingId),
  };
};
