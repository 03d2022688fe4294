// Parses the query of a list of bookings, and restricts it to what the manager may see: no deleted locations, and no search
// by a hidden identity. The criteria are in the terms of the database.

import type { Static } from 'typebox';
import type { BookingsQuery } from '../schemas.ts';
import { parseSelectedDays, parseTimeZone } from '../../../lib/time/selected-days.ts';
import { dayInterval } from '../../../lib/time/time-zone.ts';
import { createFieldProblem } from '../../../lib/values/field-problem.ts';
import { selectLocationIds, type GrantedBank } from '../../../permissions/coverage.ts';
import type { Tenant } from '../../../tenants.ts';
import { getSearchableFrom, type IdentityVisibility } from '../../residents/rules/identity.ts';
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

type BookingVisibility = Pick<BookingCriteria, 'bank' | 'deletedLocationIds'> & {
  readonly identityVisibility: IdentityVisibility;
  /** Whether the identity of the selected user has expired. */
  readonly isExpiredResident: boolean;
};

export function toVisibleCriteria(
  selection: BookingSelection,
  { bank, deletedLocationIds, isExpiredResident, identityVisibility }: BookingVisibility,
): BookingCriteria {
  const { residentId, from, to } = selection;
  const { cutoff, now } = identityVisibility;
  const searchableFrom =
    residentId === undefined ? from : getSearchableFrom(residentId, identityVisibility, isExpiredResident);
  const visibleFrom = Math.max(from, Math.min(searchableFrom, to));
  return {
    ...selection,
    bank,
    from: visibleFrom,
    identityCutoff: Math.min(Math.max(cutoff, visibleFrom), to),
    locationIds: selection.locationIds?.filter((id) => !deletedLocationIds.includes(id)),
    deletedLocationIds,
    filters: [],
    now,
  };
}

type BookingSelectionInput = Pick<
  Static<typeof BookingsQuery>,
  'from' | 'through' | 'timeZone' | 'locationKid' | 'unitKid' | 'userKid' | 'state'
>;

/** The criteria that only the query decides. */
export type BookingSelection = Pick<BookingCriteria, 'from' | 'to' | 'locationIds' | 'unitId' | 'residentId' | 'state'>;

/** Throws a Problem if the time zone, a date or a KID is invalid. */
export function parseBookingSelection(
  query: BookingSelectionInput,
  { bank, tenant, now }: { readonly bank: GrantedBank; readonly tenant: Tenant; readonly now: number },
): BookingSelection {
  const timeZone = parseTimeZone({ name: 'timeZone', text: query.timeZone ?? tenant.timeZone }, tenant.country);
  for (const name of ['locationKid', 'unitKid', 'userKid'] as const)
    if (query[name] !== undefined && query[name].bankId !== bank.bankId)
      throw createFieldProblem(`query.${name}`, 'must belong to the bank', 'invalid-kid');
  return {
    ...parseStartInterval(query, timeZone, now),
    locationIds: selectLocationIds(bank, query),
    unitId: query.unitKid?.unitId,
    residentId: query.userKid?.residentId,
    state: query.state,
  };
}

/** A booking belongs to the local day on which it starts. */
function parseStartInterval(
  query: BookingSelectionInput,
  timeZone: string,
  now: number,
): Pick<BookingSelection, 'from' | 'to'> {
  const days = parseSelectedDays(
    { from: { name: 'from', text: query.from }, through: { name: 'through', text: query.through } },
    { timeZone, now },
  );
  const interval = dayInterval(days.from, days.through, timeZone);
  return { from: interval.fromMs2000, to: interval.toMs2000 };
}
