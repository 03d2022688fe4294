// When bookings can start at all, as the hours, lengths and steps of a policy have it: walls alone, no clock and nobody's
// bookings. Minutes count from the midnight of the day on which the bookable hours begin.

import type { BookingPolicy } from './policy.ts';
import { slotMs } from './slots.ts';

const dayMinutes = 1440;
const slotMinutes = slotMs / 60_000;

/** What narrows the starts down, in the order in which it is looked at. */
export const startConstraints = ['length', 'last-start', 'quiet-hours', 'step'] as const;
export type StartConstraint = (typeof startConstraints)[number];

/** The starts that are left, in order; or the first of the settings that leaves none. */
export type PossibleStarts = { readonly starts: readonly number[] } | { readonly blockedBy: StartConstraint };

/** From `from` up to `through`, which lies on the next day where it is not later. */
export type DailyInterval = { readonly from: number; readonly through: number };

/** Undefined where the policy does not have both ends of them. */
export const bookableHours = ({ from, through }: BookingPolicy): DailyInterval | undefined =>
  parseDailyInterval(from, through);
export const quietHours = ({ quietFrom, quietThrough }: BookingPolicy): DailyInterval | undefined =>
  parseDailyInterval(quietFrom, quietThrough);

/** The shortest booking there can be. */
export const shortestBookingMinutes = ({ minLengthMinutes }: BookingPolicy): number =>
  Math.max(minLengthMinutes ?? 0, slotMinutes);

/** In the bookable hours' own count: where those go on to midnight or beyond, a time up to their end is one of the next day. */
export function lastStartMinutesOf(policy: BookingPolicy): number | undefined {
  if (policy.lastStart === null) return undefined;
  const { from, through } = bookableHours(policy) ?? { from: 0, through: dayMinutes };
  const time = parseMinutesOfDay(policy.lastStart);
  return time < from && time + dayMinutes <= through ? time + dayMinutes : time;
}

/** What is asked is only whether the shortest booking fits: where a longer one does, it does as well. */
export function listPossibleStarts(policy: BookingPolicy): PossibleStarts {
  let starts = listAllStarts(policy);
  for (const narrowing of startConstraints) {
    starts = starts.filter(startPredicates[narrowing](policy));
    if (starts.length === 0) return { blockedBy: narrowing };
  }
  return { starts };
}

/** Whether a booking of so many minutes fits at one of the starts. */
export const bookingFitsAt = (policy: BookingPolicy, start: number, minutes: number): boolean =>
  endsWithinBookableHours(policy, start, minutes) && avoidsQuietHours(policy, start, minutes);

function endsWithinBookableHours(policy: BookingPolicy, start: number, minutes: number): boolean {
  const hours = bookableHours(policy);
  return hours === undefined || start + minutes <= hours.through;
}

/** Out of the quiet hours. */
function avoidsQuietHours(policy: BookingPolicy, start: number, minutes: number): boolean {
  const quiet = quietHours(policy);
  return quiet === undefined || !overlapsDaily(quiet, start, start + minutes);
}

/** Bookings take whole slots of time. */
function listAllStarts(policy: BookingPolicy): number[] {
  const { from } = bookableHours(policy) ?? { from: 0 };
  const first = Math.ceil(from / slotMinutes) * slotMinutes;
  return Array.from({ length: dayMinutes / slotMinutes }, (_, at) => first + at * slotMinutes);
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

/** Whether a span meets the hours of any day. */
function overlapsDaily({ from, through }: DailyInterval, start: number, end: number): boolean {
  // The first day's hours, counted back, that could still end after the start.
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
