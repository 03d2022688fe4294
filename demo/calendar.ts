// Computes the calendar of the demo data: past settlement periods, the clock changes in them, and local midnights.
// Instants are MS2000.

import { fromMs2000, toMs2000 } from '../src/lib/time/ms2000.ts';
import { dayInterval, todayIn } from '../src/lib/time/time-zone.ts';

/** From `from` up to, but not including, `to`. */
export type Span = { readonly from: number; readonly to: number };

const closedPeriods = 26;

/** The closed months, oldest first, and the current one, which ends now; each begins at local midnight. */
export function monthsUpTo(zone: string, now: number): Span[] {
  const current = todayIn(zone, now).with({ day: 1 });
  const starts = Array.from({ length: closedPeriods + 1 }, (_, index) =>
    startOfDay(current.subtract({ months: closedPeriods - index }), zone),
  );
  return starts.map((from, index) => ({ from, to: starts[index + 1] ?? now }));
}

/** The first instant of the local day of `at`. */
export function localMidnight(zone: string, instant: number): number {
  return startOfDay(todayIn(zone, instant), zone);
}

function startOfDay(day: Temporal.PlainDate, zone: string): number {
  return dayInterval(day, day, zone).fromMs2000;
}

/** The latest changes of the zone's clocks within the span, newest first; a zone may have none. */
export function clockChanges(zone: string, { from, to }: Span, most: number): number[] {
  const changes: number[] = [];
  let cursor: Temporal.ZonedDateTime | null = Temporal.Instant.fromEpochMilliseconds(fromMs2000(to)).toZonedDateTimeISO(
    zone,
  );
  while (changes.length < most) {
    cursor = cursor.getTimeZoneTransition('previous');
    if (cursor === null || toMs2000(cursor.epochMilliseconds) < from) break;
    changes.push(toMs2000(cursor.epochMilliseconds));
  }
  return changes;
}
