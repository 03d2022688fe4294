// What can be done to a booking, and what speaks against it. One code for the list, the check and the command: they differ
// in nothing but what they do with the verdict.

import { dayInterval, todayIn } from '../../../lib/time-zone.ts';
import type { BookingCode } from './codes.ts';
import { limitsReached, opensAt } from './limits.ts';
import type { Policy } from './policy.ts';

export const commands = ['Cancel', 'Restore'] as const;
export type Command = (typeof commands)[number];

/** What is stored; a Booked one that is over is shown as Completed. */
export const storedStates = ['Booked', 'Cancelled'] as const;
export type StoredState = (typeof storedStates)[number];
export const shownStates = ['Booked', 'Cancelled', 'Completed'] as const;
export type ShownState = (typeof shownStates)[number];

/** All that a verdict is made of. Instants are MS2000. */
export type Standing = {
  readonly state: StoredState;
  readonly startAt: number;
  readonly endAt: number;
  readonly unit: 'in-use' | 'disabled' | 'deleted';
  /** Whether its location and its bank are in use. */
  readonly placeInUse: boolean;
  /** The resident was deleted or has expired; a guest never is. */
  readonly residentGone: boolean;
  readonly policy: Policy;
  /** The location's zone, in which its days are counted. */
  readonly timeZone: string;
  /** Another booking has some of its time. */
  readonly taken: boolean;
  /** When the resident's other bookings on units of the calendar start. */
  readonly otherStarts: readonly number[];
};

export type Verdict = {
  readonly allowed: boolean;
  readonly codes: readonly BookingCode[];
  /** When it becomes possible if nothing happens but that time passes; null where it is allowed now, or never again. */
  readonly possibleAt: number | null;
};

/** Completed from the instant of its end on. */
export function stateAt({ state, endAt }: Pick<Standing, 'state' | 'endAt'>, now: number): ShownState {
  return state === 'Booked' && endAt <= now ? 'Completed' : state;
}

/** Everything that speaks against a command now, the first thing first; nothing where it is allowed. */
export function codesAgainst(command: Command, standing: Standing, now: number): BookingCode[] {
  const unfit = unfitFor(command, standing, now);
  if (unfit !== undefined) return [unfit];
  return command === 'Cancel' ? againstCancel(standing, now) : againstRestore(standing, now);
}

/** Whether the command does not fit the booking as such: no rule, and no slot, matters then. */
export function unfitFor(command: Command, { state, endAt }: Standing, now: number): BookingCode | undefined {
  if (endAt <= now) return 'ended';
  if (command === 'Cancel') return state === 'Booked' ? undefined : 'not-booked';
  return state === 'Cancelled' ? undefined : 'not-cancelled';
}

export function verdictOn(command: Command, standing: Standing, now: number): Verdict {
  const codes = codesAgainst(command, standing, now);
  return {
    allowed: codes.length === 0,
    codes,
    possibleAt: codes.length === 0 ? null : nextPossible(command, standing, now),
  };
}

/** The commands that are allowed now. */
export const allowedCommands = (standing: Standing, now: number): Command[] =>
  commands.filter((command) => codesAgainst(command, standing, now).length === 0);

function againstCancel({ unit, startAt, policy }: Standing, now: number): BookingCode[] {
  return present([
    ['unit-deleted', unit === 'deleted'],
    ['cancel-deadline', isLaterThan(now, startAt, policy.cancelDeadlineMinutes)],
  ]);
}

function againstRestore(standing: Standing, now: number): BookingCode[] {
  const { taken, unit, placeInUse, residentGone, startAt, policy, timeZone } = standing;
  return [
    ...present([
      ['overlap', taken],
      ['unit-deleted', unit === 'deleted'],
      ['unit-disabled', unit === 'disabled'],
      ['resident-gone', residentGone],
      ['place-disabled', !placeInUse],
      ['not-bookable', !policy.bookable],
      ['notice', isLaterThan(now, startAt, policy.noticeMinutes)],
      ['horizon', now < horizonOpensAt(standing)],
    ]),
    ...limitsReached(policy, standing.otherStarts, { startAt, timeZone, now }),
  ];
}

type Finding = readonly [code: BookingCode, speaksAgainst: boolean];

const present = (findings: readonly Finding[]): BookingCode[] =>
  findings.flatMap(([code, speaksAgainst]) => (speaksAgainst ? [code] : []));

/** Whether less than so many minutes are left until the start. Without a number of minutes it never is. */
const isLaterThan = (now: number, startAt: number, minutes: number | null): boolean =>
  minutes !== null && now > startAt - minutes * 60_000;

/** The beginning of the first local day from which on the start lies within the horizon. */
function horizonOpensAt({ startAt, timeZone, policy: { horizonDays } }: Standing): number {
  if (horizonDays === null) return Number.NEGATIVE_INFINITY;
  const day = todayIn(timeZone, startAt).subtract({ days: horizonDays });
  return dayInterval(day, day, timeZone).fromMs2000;
}

/** Time takes away the horizon, and one booking after the other that is ahead; all else it leaves, or makes worse. */
function nextPossible(command: Command, standing: Standing, now: number): number | null {
  const { startAt, otherStarts, policy } = standing;
  const { maxOpen } = policy;
  const free = maxOpen === null ? now : opensAt(maxOpen, otherStarts, startAt);
  const at = Math.max(now, horizonOpensAt(standing), free);
  return codesAgainst(command, standing, at).length === 0 ? at : null;
}
