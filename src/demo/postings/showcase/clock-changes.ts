// Postings around the moments when a civil day is not what it seems: the clocks' changes, with the hour that comes
// twice, and midnights to the millisecond.

import { clockChanges, hourMs, localMidnight } from '../../calendar.ts';
import { openPeriod } from '../ledger-scenario.ts';
import { sampleConsumption, inPeriodOfInstant, type ShowcaseCase, type ShowcaseContext } from './showcase-context.ts';

const offsetsMs = [-2 * hourMs, -hourMs / 2, -1, 0, hourMs / 2, 2 * hourMs];

/** Half an hour before and half an hour after an autumn change, the local clock reads the same. */
export function clockCases(stage: ShowcaseContext): ShowcaseCase[] {
  const { tenant, periods } = stage.scene;
  const whole = { from: periods[0]?.from ?? 0, to: stage.now - 3 * hourMs };
  const instants = clockChanges(tenant.timeZone, whole, 2).flatMap((change) => offsetsMs.map((away) => change + away));
  return instants.map((at) => inPeriodOfInstant(stage, sampleConsumption(stage, at)));
}

export function midnightCases(stage: ShowcaseContext): ShowcaseCase[] {
  const { tenant, periods } = stage.scene;
  const today = localMidnight(tenant.timeZone, stage.now);
  const yesterday = localMidnight(tenant.timeZone, today - 1);
  const month = openPeriod(periods).from;
  const instants = new Set([today, yesterday, month].flatMap((midnight) => [midnight - 1, midnight]));
  return [...instants]
    .filter((at) => at < stage.now)
    .map((at) => inPeriodOfInstant(stage, sampleConsumption(stage, at)));
}
