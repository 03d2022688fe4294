// How many bookings a resident may have: ahead, and starting in one local day, ISO week and month. Pure.

import { todayIn } from '../../../lib/time-zone.ts';
import type { BookingCode } from './codes.ts';
import type { Policy } from './policy.ts';

type Limits = Pick<Policy, 'maxOpen' | 'maxPerDay' | 'maxPerWeek' | 'maxPerMonth'>;

type Candidate = {
  readonly startAt: number;
  /** In which days are counted. */
  readonly timeZone: string;
  readonly now: number;
};

/** The limits that one more booking would pass, beside those that start at `otherStarts`. */
export function limitsReached(
  { maxOpen, maxPerDay, maxPerWeek, maxPerMonth }: Limits,
  otherStarts: readonly number[],
  { startAt, timeZone, now }: Candidate,
): BookingCode[] {
  const dayOf = (at: number): Temporal.PlainDate => todayIn(timeZone, at);
  const day = dayOf(startAt);
  const together = (same: (other: Temporal.PlainDate) => boolean): number =>
    1 + otherStarts.filter((at) => same(dayOf(at))).length;
  // What has begun is no longer ahead.
  const open = startAt > now ? 1 + otherStarts.filter((at) => at > now).length : 0;
  const reached: [code: BookingCode, most: number | null, count: () => number][] = [
    ['max-open', maxOpen, () => open],
    ['max-per-day', maxPerDay, () => together((other) => other.equals(day))],
    ['max-per-week', maxPerWeek, () => together((other) => weekOf(other) === weekOf(day))],
    ['max-per-month', maxPerMonth, () => together((other) => monthOf(other) === monthOf(day))],
  ];
  return reached.flatMap(([code, most, count]) => (most !== null && count() > most ? [code] : []));
}

const weekOf = ({ yearOfWeek, weekOfYear }: Temporal.PlainDate): string => `${yearOfWeek}-${weekOfYear}`;
const monthOf = ({ year, month }: Temporal.PlainDate): string => `${year}-${month}`;
