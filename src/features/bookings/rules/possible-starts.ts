// Calculates at which times of day bookings can start by the hours, lengths and steps of a policy, without regard to
// dates and other bookings. Minutes count from the midnight of the day on which the bookable hours begin.

import type { BookingPolicy } from './policy.ts';
import { slotMs } from './slots.ts';

const dayMinutes = 1440;
const slotMinutes = slotMs / 60_000;

/** The settings that exclude starts, in the order in which they are applied. */
const startConstraints = ['length', 'last-start', 'quiet-hours', 'step'] as const;
type StartConstraint = (typeof startConstraints)[number];

/** The starts that are left, in order, or the first setting that leaves none. */
type PossibleStarts = { readonly starts: readonly number[] } | { readonly blockedBy: StartConstraint };

/** In minutes. An interval that ends on the next day has `through` > 1440. */
export type DailyInterval = { readonly from: number; readonly through: number };

/** Undefined unless the policy has both the beginning and the end. */
export const bookableHours = ({ from, through }: BookingPolicy): DailyInterval | undefined =>
  parseDailyInterval(from, through);
const quietHours = ({ quietFrom, quietThrough }: BookingPolicy): DailyInterval | undefined =>
  parseDailyInterval(quietFrom, quietThrough);

/** The length of the shortest booking. */
export const shortestBookingMinutes = ({ minLengthMinutes }: BookingPolicy): number =>
  Math.max(minLengthMinutes ?? 0, slotMinutes);

/** If the bookable hours end on the next day, a time before their beginning is one of the next day. */
export function lastStartMinutesOf(policy: BookingPolicy): number | undefined {
  if (policy.lastStart === null) return undefined;
  const { from, through } = bookableHours(policy) ?? { from: 0, through: dayMinutes };
  const time = parseMinutesOfDay(policy.lastStart);
  return time < from && time + dayMinutes <= through ? time + dayMinutes : time;
}

/** The starts at which the shortest booking fits. Wherever a longer one fits, the shortest does too. */
export function listPossibleStarts(policy: BookingPolicy): PossibleStarts {
  let starts = listAllStarts(policy);
  for (const constraint of startConstraints) {
    starts = starts.filter(startPredicates[constraint](policy));
    if (starts.length === 0) return { blockedBy: constraint };
  }
  return { starts };
}

/** Whether a booking of so many minutes fits at a start. */
export const bookingFitsAt = (policy: BookingPolicy, start: number, minutes: number): boolean =>
  endsWithinBookableHours(policy, start, minutes) && avoidsQuietHours(policy, start, minutes);

function endsWithinBookableHours(policy: BookingPolicy, start: number, minutes: number): boolean {
  const hours = bookableHours(policy);
  return hours === undefined || start + minutes <= hours.through;
}

function avoidsQuietHours(policy: BookingPolicy, start: number, minutes: number): boolean {
  const quiet = quietHours(policy);
  return quiet === undefined || !overlapsDaily(quiet, start, start + minutes);
}

/** Every slot of a day, from the beginning of the bookable hours or midnight. */
function listAllStarts(policy: BookingPolicy): number[] {
  const { from } = bookableHours(policy) ?? { from: 0 };
  const first = Math.ceil(from / slotMinutes) * slotMinutes;
  return Array.from({ length: dayMinutes / slotMinutes }, (_, index) => first + index * slotMinutes);
}

type StartPredicate = (start: number) => boolean;

const startPredicates: Readonly<Record<StartConstraint, (policy: BookingPolicy) => StartPredicate>> = {
  length: (policy) => (start) => endsWithinBookableHours(policy, start, shortestBookingMinutes(policy)),
  'last-start': (policy) => {
    const last = lastStartMinutesOf(policy);
    return (start) => last === undefined || start <= last;
  },
  'quiet-hours': (policy) => (start) => avoidsQuietHours(policy, start, shortestBookingMinutes(policy)),
  step: (policy) => {
    const { from } = bookableHours(policy) ?? { from: 0 };
    return (start) => policy.stepMinutes === null || (start - from) % policy.stepMinutes === 0;
  },
};

/** Whether an interval overlaps the hours of any day. */
function overlapsDaily({ from, through }: DailyInterval, start: number, end: number): boolean {
  // The hours of the first day that end after the start.
  const day = Math.floor((start - through) / dayMinutes) + 1;
  return from + day * dayMinutes < end;
}

function parseDailyInterval(from: string | null, through: string | null): DailyInterval | undefined {
  if (from === null || through === null) return undefined;
  const [begin, end] = [parseMinutesOfDay(from), parseMinutesOfDay(through)];
  return { from: begin, through: end <= begin ? end + dayMinutes : end };
}

function parseMinutesOfDay(time: string): number {
  const [hours, minutes] = time.split(':');
  return Number(hours) * 60 + Number(minutes);
}
