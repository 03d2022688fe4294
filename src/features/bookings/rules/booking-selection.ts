// From the query of a list of bookings to the set of bookings it selects.

import { Problem } from '../../../lib/problem.ts';
import type { KidOf } from '../../../lib/kid.ts';
import { countDays, dayInterval, parseCivilDate, resolveTimeZone, todayIn } from '../../../lib/time-zone.ts';
import type { Coverage } from '../../../permissions/coverage.ts';
import type { Tenant } from '../../../tenants.ts';
import type { BookingCriteria } from '../queries/select-bookings.ts';
import type { DisplayedState } from './commands.ts';

export type BookingsSelectionInput = {
  readonly from?: string;
  readonly through?: string;
  readonly timeZone?: string;
  readonly locationKid?: KidOf<'location'>;
  readonly unitKid?: KidOf<'unit'>;
  readonly userKid?: KidOf<'user'>;
  readonly state: DisplayedState | 'all';
};

/** What is wanted, as far as the query tells it. */
export type RequestedBookings = Pick<BookingCriteria, 'from' | 'to' | 'locationIds' | 'unitId' | 'state'> & {
  readonly userId: number | undefined;
};

const maxSelectedDays = 367;

type BookingSelectionContext = {
  readonly bankId: number;
  readonly tenant: Tenant;
  readonly coverage: Exclude<Coverage, undefined>;
  readonly now: number;
};

export function parseBookingSelection(
  query: BookingsSelectionInput,
  { bankId, tenant, coverage, now }: BookingSelectionContext,
): RequestedBookings {
  const timeZone = resolveTimeZone(query.timeZone ?? tenant.timeZone, tenant.country);
  if (timeZone === undefined) throw createInvalidQueryProblem('timeZone', 'must be an IANA or Windows time zone');
  for (const name of ['locationKid', 'unitKid', 'userKid'] as const)
    if (query[name] !== undefined && query[name].bankId !== bankId) throw createForeignKidProblem(name);
  return {
    ...parseStartInterval(query, timeZone, now),
    ...selectPlaces(query, coverage),
    userId: query.userKid?.userId,
    state: query.state,
  };
}

/** A booking belongs to the local day on which it starts. */
function parseStartInterval(
  query: BookingsSelectionInput,
  timeZone: string,
  now: number,
): Pick<RequestedBookings, 'from' | 'to'> {
  const parseDate = (name: 'from' | 'through'): Temporal.PlainDate => {
    const text = query[name];
    const parsed = text === undefined ? todayIn(timeZone, now) : parseCivilDate(text);
    if (parsed === undefined) throw createInvalidQueryProblem(name, 'must be a calendar date, YYYY-MM-DD');
    return parsed;
  };
  const [from, through] = [parseDate('from'), parseDate('through')];
  const count = countDays(from, through);
  if (count < 1) throw createInvalidQueryProblem('through', 'must not lie before from');
  if (count > maxSelectedDays)
    throw createInvalidQueryProblem('through', `must lie within ${maxSelectedDays} days of from, both counted`);
  const interval = dayInterval(from, through, timeZone);
  return { from: interval.fromMs2000, to: interval.toMs2000 };
}

/** A place out of sight selects nothing, just as one that is not there. */
function selectPlaces(
  { locationKid, unitKid }: BookingsSelectionInput,
  coverage: Exclude<Coverage, undefined>,
): Pick<RequestedBookings, 'locationIds' | 'unitId'> {
  const locationId = unitKid?.locationId ?? locationKid?.locationId;
  const unitId = unitKid?.unitId;
  if (locationId === undefined)
    return { locationIds: coverage === 'all' ? undefined : [...coverage].toSorted((a, b) => a - b), unitId };
  const isOtherLocation = locationKid !== undefined && locationKid.locationId !== locationId;
  const isCovered = coverage === 'all' || coverage.has(locationId);
  return { locationIds: isCovered && !isOtherLocation ? [locationId] : [], unitId };
}

const createInvalidQueryProblem = (name: string, message: string): Problem =>
  new Problem('invalid-request', { detail: `query.${name} ${message}`, errors: [{ path: `query.${name}`, message }] });

const createForeignKidProblem = (name: string): Problem =>
  new Problem('invalid-kid', {
    detail: `query.${name} is not of this bank`,
    errors: [{ path: `query.${name}`, message: 'is not of this bank' }],
  });
