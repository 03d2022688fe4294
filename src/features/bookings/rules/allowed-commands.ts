// Decides whether a command on a booking is allowed. The list, the check and the command itself all use these
// functions.

import { dayInterval, todayIn } from '../../../lib/time/time-zone.ts';
import type { RefusalCode } from './refusal-codes.ts';
import { listExceededLimits, maxOpenAllowsAt } from './booking-limits.ts';
import type { BookingPolicy } from './policy.ts';

export const bookingCommands = ['Cancel', 'Restore'] as const;
export type BookingCommand = (typeof bookingCommands)[number];

const storedStates = ['Booked', 'Cancelled'] as const;
export type StoredState = (typeof storedStates)[number];
export const displayedStates = ['Booked', 'Cancelled', 'Completed'] as const;
export type DisplayedState = (typeof displayedStates)[number];

/** Everything that decides whether a command is allowed. Instants are MS2000. */
export type CommandConditions = {
  readonly state: StoredState;
  readonly startAt: number;
  readonly endAt: number;
  readonly unitState: 'in-use' | 'disabled' | 'deleted';
  /** Whether both the location and its bank are enabled. */
  readonly isPlaceEnabled: boolean;
  /** Whether the resident was deleted or has expired; false for the guest. */
  readonly isResidentGone: boolean;
  readonly policy: BookingPolicy;
  /** The time zone of the location, which decides its days. */
  readonly timeZone: string;
  /** Whether another booking of the unit overlaps. */
  readonly isTimeTaken: boolean;
  /** The starts of the resident's other bookings that count towards the limits. */
  readonly otherStarts: readonly number[];
};

export type CommandDecision = {
  readonly allowed: boolean;
  readonly codes: readonly RefusalCode[];
  /** When the command becomes allowed if nothing else changes; null if it is allowed now or never will be. */
  readonly possibleAt: number | null;
};

/** A booked booking is Completed from the instant of its end. */
export const displayedStateAt = (
  { state, endAt }: Pick<CommandConditions, 'state' | 'endAt'>,
  now: number,
): DisplayedState => (state === 'Booked' && endAt <= now ? 'Completed' : state);

/** All reasons to refuse a command now, by precedence; empty if it is allowed. */
export function listRefusalCodes(command: BookingCommand, conditions: CommandConditions, now: number): RefusalCode[] {
  const stateRefusal = findStateRefusal(command, conditions, now);
  if (stateRefusal !== undefined) return [stateRefusal];
  return command === 'Cancel' ? listCancelRefusals(conditions, now) : listRestoreRefusals(conditions, now);
}

/** The reason why a command does not fit the state of the booking. The policy and the slots are not checked then. */
export function findStateRefusal(
  command: BookingCommand,
  { state, endAt }: Pick<CommandConditions, 'state' | 'endAt'>,
  now: number,
): RefusalCode | undefined {
  if (endAt <= now) return 'ended';
  if (command === 'Cancel') return state === 'Booked' ? undefined : 'not-booked';
  return state === 'Cancelled' ? undefined : 'not-cancelled';
}

export function decideCommand(command: BookingCommand, conditions: CommandConditions, now: number): CommandDecision {
  const codes = listRefusalCodes(command, conditions, now);
  return {
    allowed: codes.length === 0,
    codes,
    possibleAt: codes.length === 0 ? null : findNextPossibleTime(command, conditions, now),
  };
}

/** The commands that are allowed now. */
export const listAllowedCommands = (conditions: CommandConditions, now: number): BookingCommand[] =>
  bookingCommands.filter((command) => listRefusalCodes(command, conditions, now).length === 0);

const listCancelRefusals = ({ unitState, startAt, policy }: CommandConditions, now: number): RefusalCode[] =>
  selectCodes([
    ['unit-deleted', unitState === 'deleted'],
    ['cancel-deadline', isPastDeadline(now, startAt, policy.cancelDeadlineMinutes)],
  ]);

function listRestoreRefusals(conditions: CommandConditions, now: number): RefusalCode[] {
  const { isTimeTaken, unitState, isPlaceEnabled, isResidentGone, startAt, policy, timeZone } = conditions;
  return [
    ...selectCodes([
      ['overlap', isTimeTaken],
      ['unit-deleted', unitState === 'deleted'],
      ['unit-disabled', unitState === 'disabled'],
      ['resident-gone', isResidentGone],
      ['place-disabled', !isPlaceEnabled],
      ['not-bookable', !policy.bookable],
      ['notice', isPastDeadline(now, startAt, policy.noticeMinutes)],
      ['horizon', now < horizonStart(conditions)],
    ]),
    ...listExceededLimits(policy, conditions.otherStarts, { startAt, timeZone, now }),
  ];
}

type PossibleRefusal = readonly [code: RefusalCode, applies: boolean];

const selectCodes = (refusals: readonly PossibleRefusal[]): RefusalCode[] =>
  refusals.flatMap(([code, applies]) => (applies ? [code] : []));

/** Whether fewer minutes than these are left until the start. Null is no deadline. */
const isPastDeadline = (now: number, startAt: number, minutes: number | null): boolean =>
  minutes !== null && now > startAt - minutes * 60_000;

/** The beginning of the first local day on which the start lies within the horizon. */
function horizonStart({ startAt, timeZone, policy: { horizonDays } }: CommandConditions): number {
  if (horizonDays === null) return Number.NEGATIVE_INFINITY;
  const day = todayIn(timeZone, startAt).subtract({ days: horizonDays });
  return dayInterval(day, day, timeZone).fromMs2000;
}

/** Only refusals by the horizon and by the limit of upcoming bookings end as time passes. */
function findNextPossibleTime(command: BookingCommand, conditions: CommandConditions, now: number): number | null {
  const { startAt, otherStarts, policy } = conditions;
  const { maxOpen } = policy;
  const allowedByMaxOpenAt = maxOpen === null ? now : maxOpenAllowsAt(maxOpen, otherStarts, startAt);
  const at = Math.max(now, horizonStart(conditions), allowedByMaxOpenAt);
  return listRefusalCodes(command, conditions, at).length === 0 ? at : null;
}
