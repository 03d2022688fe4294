// The criteria by which bookings of a bank are selected, in the terms of the database.

import type { GrantedBank } from '../../../permissions/coverage.ts';
import type { DisplayedState } from './allowed-commands.ts';
import type { UnitInBankKey } from './unit-in-bank.ts';

/**
 * Matches bookings of these units; bookings of these users that start at the identity cutoff or later; and, if
 * `includesAnonymous`, all bookings that start before the cutoff.
 */
export type BookingFilter = {
  readonly units: readonly UnitInBankKey[];
  readonly residentIds: readonly number[];
  readonly includesAnonymous: boolean;
};

export type BookingCriteria = {
  readonly bank: GrantedBank;
  /** The interval of starts: `from` is inclusive, `to` is exclusive. */
  readonly from: number;
  readonly to: number;
  /** Bookings that start before it are shown without identity. Lies between `from` and `to`. */
  readonly identityCutoff: number;
  /** Undefined selects all locations except the deleted ones. */
  readonly locationIds: readonly number[] | undefined;
  readonly deletedLocationIds: readonly number[];
  readonly unitId: number | undefined;
  readonly residentId: number | undefined;
  readonly state: DisplayedState | 'all';
  /** A booking must match all of them. */
  readonly filters: readonly BookingFilter[];
  readonly now: number;
};

/** Whether the criteria match no booking, whatever is stored. */
export const matchesNoBooking = ({ locationIds, from, to }: BookingCriteria): boolean =>
  locationIds?.length === 0 || from >= to;
