// Creates purchases of the last hour, which the public statistics count.

import { consumptionDraft } from '../posting-drafts.ts';
import { inOpenPeriod, minutesAgo, type SpecialCase, type SpecialCaseContext } from './special-case-context.ts';

const minutesBeforeNow = [55, 47, 41, 34, 26, 19, 11, 6, 2];

export function lastHourCases(context: SpecialCaseContext): SpecialCase[] {
  const { scenario, random, neighbours, units } = context;
  return minutesBeforeNow.map((ago, index) => {
    const [residentId, unit] = [neighbours[index % 3]?.residentId ?? 0, units[index % 2] ?? units[0]];
    const recordedAt = minutesAgo(context, ago);
    return inOpenPeriod(
      context,
      consumptionDraft(scenario, random, { recordedAt, residentId, unit, documentId: 90_000_200 + index }),
    );
  });
}
