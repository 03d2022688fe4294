// Special cases of reversals: in the period of the original, and in the next period.

import { reversalDraft } from '../posting-drafts.ts';
import { openPeriod, type PlannedPosting } from '../ledger-scenario.ts';
import { sampleConsumption, minutesAgo, type SpecialCase, type SpecialCaseContext } from './special-case-context.ts';
import { dayMs } from '../../../src/lib/time/durations.ts';

export function reversalCases(context: SpecialCaseContext): SpecialCase[] {
  const { scenario, open } = context;
  const before = sampleConsumption(context, openPeriod(scenario.periods).from - 3 * dayMs);
  const lately = sampleConsumption(context, minutesAgo(context, 1800));
  return [
    ...reversalPair(context, before, { name: 'of the last period', period: open - 1, minutes: 1700 }),
    ...reversalPair(context, lately, { name: 'of this period', period: open, minutes: 1690 }),
  ];
}

function reversalPair(
  context: SpecialCaseContext,
  original: PlannedPosting,
  { name, period, minutes }: { name: string; period: number; minutes: number },
): SpecialCase[] {
  const reversible: PlannedPosting = { ...original, internalTag: 7_000_000 + minutes };
  return [
    { period, step: { ...reversible, label: name } },
    { period: context.open, step: { ...reversalDraft(reversible, minutesAgo(context, minutes)), reversesLabel: name } },
  ];
}
