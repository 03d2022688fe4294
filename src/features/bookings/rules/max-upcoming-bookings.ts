// How many bookings can lie ahead at all: a limit above that is none.

import type { BookingPolicy } from './policy.ts';

/** How many bookings a resident can ever have ahead, as the limits by day, week and month within the horizon have it. */
export function maxUpcomingBookings({ horizonDays, maxPerDay, maxPerWeek, maxPerMonth }: BookingPolicy): number {
  if (horizonDays === null) return Number.POSITIVE_INFINITY;
  const days = horizonDays + 1;
  const limits = [
    [maxPerDay, days],
    [maxPerWeek, Math.floor((days - 2) / 7) + 2],
    [maxPerMonth, maxTouchedMonths(days)],
  ] as const;
  return Math.min(...limits.map(([limit, times]) => (limit === null ? Number.POSITIVE_INFINITY : limit * times)));
}

/** How many months so many days in a row can touch: most from the last of a month on, in years without a leap day. */
function maxTouchedMonths(days: number): number {
  const touched = Array.from({ length: 12 }, (_, at) => {
    const first = Temporal.PlainDate.from({ year: 2025, month: at + 1, day: 31 });
    const last = first.add({ days: days - 1 });
    return (last.year - first.year) * 12 + last.month - first.month + 1;
  });
  return Math.max(...touched);
}
