// Settlement periods follow one another without a gap, and every posting lies in the one that was open when it came.

import type { Closing, LedgerCheck } from './check.ts';

export const periodCheck: LedgerCheck = ({ head, closings, tell }) => {
  const { open_period: openPeriod, opened_at: openedAt } = head;
  let lastPeriod = 1;
  const wrong = (key: string, stored: string | undefined, computed: string | undefined): void =>
    tell({ kind: 'period', key, stored, computed });
  return {
    postings: (rows) => {
      for (const { posting_id, period } of rows) {
        if (period > openPeriod) wrong(`posting ${posting_id}`, `period ${period}`, `period ${openPeriod} at most`);
        else if (period < lastPeriod)
          wrong(`posting ${posting_id}`, `period ${period}`, `period ${lastPeriod} at least`);
        else lastPeriod = period;
      }
    },
    end: () => {
      let before: Closing | undefined;
      for (let period = 1; period < openPeriod; period += 1) {
        const closing = closings.get(period);
        if (closing === undefined) wrong(`period ${period}`, undefined, 'closed');
        else if (before !== undefined && before.through_at !== closing.from_at)
          wrong(`period ${period}`, `from ${closing.from_at}`, `from ${before.through_at}`);
        before = closing;
      }
      for (const period of closings.keys())
        if (period < 1 || period >= openPeriod) wrong(`period ${period}`, 'closed', undefined);
      if (before !== undefined && before.through_at !== openedAt)
        wrong(`period ${openPeriod}`, `from ${openedAt}`, `from ${before.through_at}`);
      return { 'closed periods': closings.size };
    },
  };
};
