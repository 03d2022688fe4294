// Every link is what the link below it and the row's own fields make. A row is compared with the link that is stored
// below it, so that one broken link does not break all that are above.

import { beginning, closingLink, postingLink } from '../rules/chain.ts';
import type { LedgerCheck, Posting } from './check.ts';

type Last = Pick<Posting, 'period' | 'chain'>;

export const chainCheck: LedgerCheck = ({ head: { open_period: openPeriod }, closings, tell }) => {
  let last: Last | undefined;
  // The link of each period's last posting: what its closing lies upon.
  const lastLinks = new Map<number, string>();
  const closingBelow = (period: number): string => closings.get(period - 1)?.chain ?? last?.chain ?? beginning;
  return {
    postings: (rows) => {
      for (const row of rows) {
        const below = last !== undefined && last.period >= row.period ? last.chain : closingBelow(row.period);
        const computed = postingLink(below, row);
        if (computed !== row.chain)
          tell({ kind: 'chain', key: `posting ${row.posting_id}`, stored: row.chain, computed });
        lastLinks.set(row.period, row.chain);
        last = row;
      }
    },
    end: () => {
      for (const closing of closings.values()) {
        const { period, chain: stored } = closing;
        if (period < 1 || period >= openPeriod) continue;
        const below = lastLinks.get(period) ?? closings.get(period - 1)?.chain ?? beginning;
        const computed = closingLink(below, closing);
        if (computed !== stored) tell({ kind: 'closing', key: `period ${period}`, stored, computed });
      }
    },
  };
};
