// Parses the query of a list of bookings: the interval of starts, the locations, the unit, the resident and the state.

import type { KidOf } from '../../../lib/kid.ts';
import { createFieldProblem } from '../../../lib/values/field-problem.ts';
import { parseSelectedDays, parseTimeZone } from '../../../lib/time/selected-days.ts';
import { dayInterval } from '../../../lib/time/time-zone.ts';
import { selectLocationIds, type GrantedBank } from '../../../permissions/coverage.ts';
import type { Tenant } from '../../../tenants.ts';
import type { BookingCriteria } from './booking-criteria.ts';
import type { DisplayedState } from './allowed-commands.ts';

export type BookingSelectionInput = {
  readonly from?: string;
  readonly through?: string;
  readonly timeZone?: string;
  readonly locationKid?: KidOf<'location'>;
  readonly unitKid?: KidOf<'unit'>;
  readonly userKid?: KidOf<'user'>;
  readonly state: DisplayedState | 'all';
};

/** The criteria that only the query decides. */
export type BookingSelection = Pick<BookingCriteria, 'from' | 'to' | 'locationIds' | 'unitId' | 'residentId' | 'state'>;

type BookingSelectionContext = { readonly bank: GrantedBank; readonly tenant: Tenant; readonly now: number };

/** Throws a Problem if the time zone, a date or a KID is invalid. */
export function parseBookingSelection(
  query: BookingSelectionInput,
  { bank, tenant, now }: BookingSelectionContext,
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
