// Checks that settlement periods follow one another without a gap, and that no posting is in an earlier period than the
// posting before it, nor in one that is not open yet.

import type { LedgerCheck, LedgerDifference, StoredClosing } from './ledger-check.ts';

export const periodCheck: LedgerCheck = ({ head, closings }) => {
  const { open_period: openPeriod, opened_at: openedAt } = head;
  let lastPeriod = 1;
  return {
    *checkPostings(rows) {
      for (const { posting_id, period } of rows) {
        const key = `posting ${posting_id}`;
        if (period > openPeriod) yield toDifference(key, `period ${period}`, `period ${openPeriod} at most`);
        else if (period < lastPeriod) yield toDifference(key, `period ${period}`, `period ${lastPeriod} at least`);
        else lastPeriod = period;
      }
    },
    *finish() {
      let previous: StoredClosing | undefined;
      for (let period = 1; period < openPeriod; period += 1) {
        const closing = closings.get(period);
        if (closing === undefined) yield toDifference(`period ${period}`, undefined, 'closed');
        else yield* compareStart(period, closing.from_at, previous);
        previous = closing;
      }
      for (const period of closings.keys())
        if (period < 1 || period >= openPeriod) yield toDifference(`period ${period}`, 'closed', undefined);
      yield* compareStart(openPeriod, openedAt, previous);
    },
    counts: () => ({ 'closed periods': closings.size }),
  };
};

/** A period starts where the one before it ends. */
function* compareStart(
  period: number,
  startedAt: number,
  previous: StoredClosing | undefined,
): Generator<LedgerDifference> {
  if (previous !== undefined && previous.through_at !== startedAt)
    yield toDifference(`period ${period}`, `from ${startedAt}`, `from ${previous.through_at}`);
}

const toDifference = (key: string, stored: string | undefined, computed: string | undefined): LedgerDifference => ({
  kind: 'period',
  key,
  stored,
  computed,
});
