// Every link is what the link below it and the row's own fields make. A row is compared with the link that is stored
// below it, so that one broken link does not break all that are above.

import { initialLink, computeClosingLink, computePostingLink } from '../rules/chain.ts';
import type { LedgerCheck, StoredPosting } from './ledger-check.ts';

type LastPosting = Pick<StoredPosting, 'period' | 'chain'>;

export const chainCheck: LedgerCheck = ({ head: { open_period: openPeriod }, closings, report }) => {
  let last: LastPosting | undefined;
  // The link of each period's last posting: what its closing lies upon.
  const lastLinks = new Map<number, string>();
  const previousClosingLink = (period: number): string => closings.get(period - 1)?.chain ?? last?.chain ?? initialLink;
  return {
    postings: (rows) => {
      for (const row of rows) {
        const previousLink =
          last !== undefined && last.period >= row.period ? last.chain : previousClosingLink(row.period);
        const computed = computePostingLink(previousLink, row);
        if (computed !== row.chain)
          report({ kind: 'chain', key: `posting ${row.posting_id}`, stored: row.chain, computed });
        lastLinks.set(row.period, row.chain);
        last = row;
      }
    },
    end: () => {
      for (const closing of closings.values()) {
        const { period, chain: stored } = closing;
        if (period < 1 || period >= openPeriod) continue;
        const previousLink = lastLinks.get(period) ?? closings.get(period - 1)?.chain ?? initialLink;
        const computed = computeClosingLink(previousLink, closing);
        if (computed !== stored) report({ kind: 'closing', key: `period ${period}`, stored, computed });
      }
    },
  };
};
