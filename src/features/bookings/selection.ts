// From the query of a list of bookings to the set of bookings it selects.

import { Problem } from '../../lib/problem.ts';
import type { KidOf } from '../../lib/kid.ts';
import { countDays, dayInterval, parseCivilDate, resolveTimeZone, todayIn } from '../../lib/time-zone.ts';
import type { Reach } from '../../permissions/needs.ts';
import type { Tenant } from '../../tenants.ts';
import type { Wanted } from './queries/selected.ts';
import type { ShownState } from './rules/commands.ts';

export type BookingsQuery = {
  readonly from?: string;
  readonly through?: string;
  readonly timeZone?: string;
  readonly locationKid?: KidOf<'location'>;
  readonly unitKid?: KidOf<'unit'>;
  readonly userKid?: KidOf<'user'>;
  readonly state: ShownState | 'all';
};

/** What is wanted, as far as the query tells it. */
export type Selection = Pick<Wanted, 'from' | 'to' | 'locationIds' | 'unitId' | 'state'> & {
  readonly userId: number | undefined;
};

const maxDays = 367;

type Asked = {
  readonly bankId: number;
  readonly tenant: Tenant;
  readonly reach: Exclude<Reach, undefined>;
  readonly now: number;
};

export function selectionOf(query: BookingsQuery, { bankId, tenant, reach, now }: Asked): Selection {
  const timeZone = resolveTimeZone(query.timeZone ?? tenant.timeZone, tenant.country);
  if (timeZone === undefined) throw invalid('timeZone', 'must be an IANA or Windows time zone');
  for (const name of ['locationKid', 'unitKid', 'userKid'] as const)
    if (query[name] !== undefined && query[name].bankId !== bankId) throw foreignKid(name);
  return {
    ...startsOf(query, timeZone, now),
    ...placesOf(query, reach),
    userId: query.userKid?.userId,
    state: query.state,
  };
}

/** A booking belongs to the local day on which it starts. */
function startsOf(query: BookingsQuery, timeZone: string, now: number): Pick<Selection, 'from' | 'to'> {
  const date = (name: 'from' | 'through'): Temporal.PlainDate => {
    const text = query[name];
    const parsed = text === undefined ? todayIn(timeZone, now) : parseCivilDate(text);
    if (parsed === undefined) throw invalid(name, 'must be a calendar date, YYYY-MM-DD');
    return parsed;
  };
  const [from, through] = [date('from'), date('through')];
  const count = countDays(from, through);
  if (count < 1) throw invalid('through', 'must not lie before from');
  if (count > maxDays) throw invalid('through', `must lie within ${maxDays} days of from, both counted`);
  const interval = dayInterval(from, through, timeZone);
  return { from: interval.fromMs2000, to: interval.toMs2000 };
}

/** A place out of sight selects nothing, just as one that is not there. */
function placesOf(
  { locationKid, unitKid }: BookingsQuery,
  reach: Exclude<Reach, undefined>,
): Pick<Selection, 'locationIds' | 'unitId'> {
  const locationId = unitKid?.locationId ?? locationKid?.locationId;
  const unitId = unitKid?.unitId;
  if (locationId === undefined)
    return { locationIds: reach === 'all' ? undefined : [...reach].toSorted((a, b) => a - b), unitId };
  const elsewhere = locationKid !== undefined && locationKid.locationId !== locationId;
  const covered = reach === 'all' || reach.has(locationId);
  return { locationIds: covered && !elsewhere ? [locationId] : [], unitId };
}

const invalid = (name: string, message: string): Problem =>
  new Problem('invalid-request', { detail: `query.${name} ${message}`, errors: [{ path: `query.${name}`, message }] });

const foreignKid = (name: string): Problem =>
  new Problem('invalid-kid', {
    detail: `query.${name} is not of this bank`,
    errors: [{ path: `query.${name}`, message: 'is not of this bank' }],
  });
