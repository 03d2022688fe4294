// Special cases of times: postings around clock changes, in the hour that occurs twice, and within a millisecond of
// midnight.

import { clockChanges, localMidnight } from '../../calendar.ts';
import { openPeriod } from '../ledger-scenario.ts';
import {
  sampleConsumption,
  inPeriodOfInstant,
  type SpecialCase,
  type SpecialCaseContext,
} from './special-case-context.ts';
import { hourMs } from '../../../src/lib/time/durations.ts';

const offsetsMs = [-2 * hourMs, -hourMs / 2, -1, 0, hourMs / 2, 2 * hourMs];

/** Half an hour before and half an hour after an autumn change, the local clock reads the same. */
export function clockCases(context: SpecialCaseContext): SpecialCase[] {
  const { tenant, periods } = context.scenario;
  const whole = { from: periods[0]?.from ?? 0, to: context.now - 3 * hourMs };
  const instants = clockChanges(tenant.timeZone, whole, 2).flatMap((change) => offsetsMs.map((away) => change + away));
  return instants.map((instant) => inPeriodOfInstant(context, sampleConsumption(context, instant)));
}

export function midnightCases(context: SpecialCaseContext): SpecialCase[] {
  const { tenant, periods } = context.scenario;
  const today = localMidnight(tenant.timeZone, context.now);
  const yesterday = localMidnight(tenant.timeZone, today - 1);
  const month = openPeriod(periods).from;
  const instants = new Set([today, yesterday, month].flatMap((midnight) => [midnight - 1, midnight]));
  return [...instants]
    .filter((instant) => instant < context.now)
    .map((instant) => inPeriodOfInstant(context, sampleConsumption(context, instant)));
}
