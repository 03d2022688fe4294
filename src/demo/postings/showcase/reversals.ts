// Lines that were taken back: within a period, and in the period after the one that they were recorded in.

import { dayMs } from '../../calendar.ts';
import { reversalOf } from '../drafts.ts';
import { openPeriod, type Step } from '../scene.ts';
import { anyUse, minutesAgo, type Case, type Stage } from './stage.ts';

export function reversalCases(stage: Stage): Case[] {
  const { scene, open } = stage;
  const before = anyUse(stage, openPeriod(scene.periods).from - 3 * dayMs);
  const lately = anyUse(stage, minutesAgo(stage, 1800));
  return [
    ...pair(stage, before, { name: 'of the last period', period: open - 1, minutes: 1700 }),
    ...pair(stage, lately, { name: 'of this period', period: open, minutes: 1690 }),
  ];
}

function pair(
  stage: Stage,
  original: Step,
  { name, period, minutes }: { name: string; period: number; minutes: number },
): Case[] {
  const reversible: Step = { ...original, internalTag: 7_000_000 + minutes };
  return [
    { period, step: { ...reversible, mark: name } },
    { period: stage.open, step: { ...reversalOf(reversible, minutesAgo(stage, minutes)), reverses: name } },
  ];
}
