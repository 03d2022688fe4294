// Calculates how many upcoming bookings the limits by day, week and month allow. A higher limit of upcoming bookings
// has no effect.

import type { BookingPolicy } from './policy.ts';

/** The most upcoming bookings that a resident can have within the horizon; Infinity without a horizon. */
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

/**
 * The most months that so many consecutive days can touch. Such days begin on the 31st of a month and avoid a leap day.
 */
function maxTouchedMonths(days: number): number {
  const touched = Array.from({ length: 12 }, (_, index) => {
    const first = Temporal.PlainDate.from({ year: 2025, month: index + 1, day: 31 });
    const last = first.add({ days: days - 1 });
    return (last.year - first.year) * 12 + last.month - first.month + 1;
  });
  return Math.max(...touched);
}
