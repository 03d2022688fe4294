// What can be done to a booking, and what speaks against it. One code for the list, the check and the command: they differ
// in nothing but what they do with the verdict.

import { dayInterval, todayIn } from '../../../lib/time-zone.ts';
import type { RefusalCode } from './refusal-codes.ts';
import { listExceededLimits, maxOpenAllowsAt } from './limits.ts';
import type { BookingPolicy } from './policy.ts';

export const bookingCommands = ['Cancel', 'Restore'] as const;
export type BookingCommand = (typeof bookingCommands)[number];

/** What is stored; a Booked one that is over is shown as Completed. */
export const storedStates = ['Booked', 'Cancelled'] as const;
export type StoredState = (typeof storedStates)[number];
export const displayedStates = ['Booked', 'Cancelled', 'Completed'] as const;
export type DisplayedState = (typeof displayedStates)[number];

/** All that a verdict is made of. Instants are MS2000. */
export type CommandConditions = {
  readonly state: StoredState;
  readonly startAt: number;
  readonly endAt: number;
  readonly unitState: 'in-use' | 'disabled' | 'deleted';
  /** Whether its location and its bank are in use. */
  readonly isPlaceEnabled: boolean;
  /** The resident was deleted or has expired; a guest never is. */
  readonly isResidentGone: boolean;
  readonly policy: BookingPolicy;
  /** The location's zone, in which its days are counted. */
  readonly timeZone: string;
  /** Another booking has some of its time. */
  readonly isTimeTaken: boolean;
  /** When the resident's other bookings on units of the calendar start. */
  readonly otherStarts: readonly number[];
};

export type CommandDecision = {
  readonly allowed: boolean;
  readonly codes: readonly RefusalCode[];
  /** When it becomes possible if nothing happens but that time passes; null where it is allowed now, or never again. */
  readonly possibleAt: number | null;
};

/** Completed from the instant of its end on. */
export function displayedStateAt(
  { state, endAt }: Pick<CommandConditions, 'state' | 'endAt'>,
  now: number,
): DisplayedState {
  return state === 'Booked' && endAt <= now ? 'Completed' : state;
}

/** Everything that speaks against a command now, the first thing first; nothing where it is allowed. */
export function listRefusalCodes(command: BookingCommand, standing: CommandConditions, now: number): RefusalCode[] {
  const stateRefusal = findStateRefusal(command, standing, now);
  if (stateRefusal !== undefined) return [stateRefusal];
  return command === 'Cancel' ? cancelRefusals(standing, now) : restoreRefusals(standing, now);
}

/** Whether the command does not fit the booking as such: no rule, and no slot, matters then. */
export function findStateRefusal(
  command: BookingCommand,
  { state, endAt }: CommandConditions,
  now: number,
): RefusalCode | undefined {
  if (endAt <= now) return 'ended';
  if (command === 'Cancel') return state === 'Booked' ? undefined : 'not-booked';
  return state === 'Cancelled' ? undefined : 'not-cancelled';
}

export function decideCommand(command: BookingCommand, standing: CommandConditions, now: number): CommandDecision {
  const codes = listRefusalCodes(command, standing, now);
  return {
    allowed: codes.length === 0,
    codes,
    possibleAt: codes.length === 0 ? null : findNextPossibleTime(command, standing, now),
  };
}

/** The commands that are allowed now. */
export const listAllowedCommands = (standing: CommandConditions, now: number): BookingCommand[] =>
  bookingCommands.filter((command) => listRefusalCodes(command, standing, now).length === 0);

function cancelRefusals({ unitState, startAt, policy }: CommandConditions, now: number): RefusalCode[] {
  return codesOf([
    ['unit-deleted', unitState === 'deleted'],
    ['cancel-deadline', isPastDeadline(now, startAt, policy.cancelDeadlineMinutes)],
  ]);
}

function restoreRefusals(standing: CommandConditions, now: number): RefusalCode[] {
  const { isTimeTaken, unitState, isPlaceEnabled, isResidentGone, startAt, policy, timeZone } = standing;
  return [
    ...codesOf([
      ['overlap', isTimeTaken],
      ['unit-deleted', unitState === 'deleted'],
      ['unit-disabled', unitState === 'disabled'],
      ['resident-gone', isResidentGone],
      ['place-disabled', !isPlaceEnabled],
      ['not-bookable', !policy.bookable],
      ['notice', isPastDeadline(now, startAt, policy.noticeMinutes)],
      ['horizon', now < bookableFrom(standing)],
    ]),
    ...listExceededLimits(policy, standing.otherStarts, { startAt, timeZone, now }),
  ];
}

type RefusalCondition = readonly [code: RefusalCode, speaksAgainst: boolean];

const codesOf = (findings: readonly RefusalCondition[]): RefusalCode[] =>
  findings.flatMap(([code, speaksAgainst]) => (speaksAgainst ? [code] : []));

/** Whether less than so many minutes are left until the start. Without a number of minutes it never is. */
const isPastDeadline = (now: number, startAt: number, minutes: number | null): boolean =>
  minutes !== null && now > startAt - minutes * 60_000;

/** The beginning of the first local day from which on the start lies within the horizon. */
function bookableFrom({ startAt, timeZone, policy: { horizonDays } }: CommandConditions): number {
  if (horizonDays === null) return Number.NEGATIVE_INFINITY;
  const day = todayIn(timeZone, startAt).subtract({ days: horizonDays });
  return dayInterval(day, day, timeZone).fromMs2000;
}

/** Time takes away the horizon, and one booking after the other that is ahead; all else it leaves, or makes worse. */
function findNextPossibleTime(command: BookingCommand, standing: CommandConditions, now: number): number | null {
  const { startAt, otherStarts, policy } = standing;
  const { maxOpen } = policy;
  const allowedByMaxOpenAt = maxOpen === null ? now : maxOpenAllowsAt(maxOpen, otherStarts, startAt);
  const at = Math.max(now, bookableFrom(standing), allowedByMaxOpenAt);
  return listRefusalCodes(command, standing, at).length === 0 ? at : null;
}
