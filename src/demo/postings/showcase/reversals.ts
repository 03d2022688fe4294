// Lines that were taken back: within a period, and in the period after the one that they were recorded in.

import { dayMs } from '../../calendar.ts';
import { reversalDraft } from '../posting-drafts.ts';
import { openPeriod, type PlannedPosting } from '../ledger-scenario.ts';
import { sampleConsumption, minutesAgo, type ShowcaseCase, type ShowcaseContext } from './showcase-context.ts';

export function reversalCases(stage: ShowcaseContext): ShowcaseCase[] {
  const { scene, open } = stage;
  const before = sampleConsumption(stage, openPeriod(scene.periods).from - 3 * dayMs);
  const lately = sampleConsumption(stage, minutesAgo(stage, 1800));
  return [
    ...reversalPair(stage, before, { name: 'of the last period', period: open - 1, minutes: 1700 }),
    ...reversalPair(stage, lately, { name: 'of this period', period: open, minutes: 1690 }),
  ];
}

function reversalPair(
  stage: ShowcaseContext,
  original: PlannedPosting,
  { name, period, minutes }: { name: string; period: number; minutes: number },
): ShowcaseCase[] {
  const reversible: PlannedPosting = { ...original, internalTag: 7_000_000 + minutes };
  return [
    { period, step: { ...reversible, label: name } },
    { period: stage.open, step: { ...reversalDraft(reversible, minutesAgo(stage, minutes)), reversesLabel: name } },
  ];
}
