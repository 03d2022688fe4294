// Checks the hash chain: each link is computed from the stored link below it and the row's own fields, so that one wrong
// link is reported once and not for every row above it.

import { initialLedgerLink, computeClosingLink, computePostingLink } from '../rules/hash-chain.ts';
import type { LedgerCheck, StoredPosting } from './ledger-check.ts';

type LastPosting = Pick<StoredPosting, 'period' | 'chain'>;

export const chainCheck: LedgerCheck = ({ head: { open_period: openPeriod }, closings }) => {
  let last: LastPosting | undefined;
  // The link of the last posting of each period, which precedes the link of the period's closing.
  const lastLinks = new Map<number, string>();
  const previousClosingLink = (period: number): string =>
    closings.get(period - 1)?.chain ?? last?.chain ?? initialLedgerLink;
  return {
    *checkPostings(rows) {
      for (const row of rows) {
        const previousLink =
          last !== undefined && last.period >= row.period ? last.chain : previousClosingLink(row.period);
        const computed = computePostingLink(previousLink, row);
        if (computed !== row.chain)
          yield { kind: 'chain', key: `posting ${row.posting_id}`, stored: row.chain, computed };
        lastLinks.set(row.period, row.chain);
        last = row;
      }
    },
    *finish() {
      for (const closing of closings.values()) {
        const { period, chain: stored } = closing;
        if (period < 1 || period >= openPeriod) continue;
        const previousLink = lastLinks.get(period) ?? closings.get(period - 1)?.chain ?? initialLedgerLink;
        const computed = computeClosingLink(previousLink, closing);
        if (computed !== stored) yield { kind: 'closing', key: `period ${period}`, stored, computed };
      }
    },
  };
};
