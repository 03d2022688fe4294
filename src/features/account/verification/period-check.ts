// Settlement periods follow one another without a gap, and every posting lies in the one that was open when it came.

import type { StoredClosing, LedgerCheck } from './ledger-check.ts';

export const periodCheck: LedgerCheck = ({ head, closings, report }) => {
  const { open_period: openPeriod, opened_at: openedAt } = head;
  let lastPeriod = 1;
  const reportPeriod = (key: string, stored: string | undefined, computed: string | undefined): void =>
    report({ kind: 'period', key, stored, computed });
  return {
    postings: (rows) => {
      for (const { posting_id, period } of rows) {
        if (period > openPeriod)
          reportPeriod(`posting ${posting_id}`, `period ${period}`, `period ${openPeriod} at most`);
        else if (period < lastPeriod)
          reportPeriod(`posting ${posting_id}`, `period ${period}`, `period ${lastPeriod} at least`);
        else lastPeriod = period;
      }
    },
    end: () => {
      let previousClosing: StoredClosing | undefined;
      for (let period = 1; period < openPeriod; period += 1) {
        const closing = closings.get(period);
        if (closing === undefined) reportPeriod(`period ${period}`, undefined, 'closed');
        else if (previousClosing !== undefined && previousClosing.through_at !== closing.from_at)
          reportPeriod(`period ${period}`, `from ${closing.from_at}`, `from ${previousClosing.through_at}`);
        previousClosing = closing;
      }
      for (const period of closings.keys())
        if (period < 1 || period >= openPeriod) reportPeriod(`period ${period}`, 'closed', undefined);
      if (previousClosing !== undefined && previousClosing.through_at !== openedAt)
        reportPeriod(`period ${openPeriod}`, `from ${openedAt}`, `from ${previousClosing.through_at}`);
      return { 'closed periods': closings.size };
    },
  };
};
