// Purchases of the last hour, which the public statistics count.

import { consumptionDraft } from '../posting-drafts.ts';
import { inOpenPeriod, minutesAgo, type ShowcaseCase, type ShowcaseContext } from './showcase-context.ts';

const minutesBeforeNow = [55, 47, 41, 34, 26, 19, 11, 6, 2];

export function lastHourCases(stage: ShowcaseContext): ShowcaseCase[] {
  const { scene, random, neighbours, units } = stage;
  return minutesBeforeNow.map((ago, index) => {
    const [userId, unit] = [neighbours[index % 3]?.residentId ?? 0, units[index % 2] ?? units[0]];
    const at = minutesAgo(stage, ago);
    return inOpenPeriod(stage, consumptionDraft(scene, random, { at, userId, unit, documentId: 90_000_200 + index }));
  });
}
