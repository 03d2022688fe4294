// From the query of an account read to the set of postings it selects.

import { Problem } from '../../lib/problem.ts';
import { countDays, dayInterval, parseCivilDate, resolveTimeZone, todayIn } from '../../lib/time-zone.ts';
import type { KidOf } from '../../lib/kid.ts';
import { reachOf } from '../../permissions/needs.ts';
import type { Scope } from '../../permissions/scope.ts';
import type { Tenant } from '../../tenants.ts';
import type { KindFilter } from './rules/kinds.ts';

export type AccountQuery = {
  readonly From?: string;
  readonly Through?: string;
  readonly TimeZone: string;
  readonly Period?: number;
  readonly LocationKid?: KidOf<'location'>;
  readonly UnitKid?: KidOf<'unit'>;
  readonly UserKid?: KidOf<'user'>;
  readonly Kind: KindFilter['kind'];
  readonly IncludeZero: boolean;
  readonly IncludeBookings: boolean;
  readonly IncludeMonthly: boolean;
};

export type Interval = { readonly from: number; readonly to: number };

/** Which places: the whole bank, some of its locations, or one unit. */
export type PlaceFilter =
  | { readonly level: 'bank' }
  | { readonly level: 'location'; readonly locationIds: readonly number[] }
  | { readonly level: 'unit'; readonly locationId: number; readonly unitId: number };

export type Selection = {
  readonly bankId: number;
  readonly timeZone: string;
  /** Civil dates, where the selection is by date. */
  readonly days: { readonly from: string; readonly through: string } | undefined;
  /** The settlement period as clients number it, where the selection is by period. */
  readonly period: number | undefined;
  readonly interval: Interval | undefined;
  readonly place: PlaceFilter;
  readonly userId: number | undefined;
  readonly kinds: KindFilter;
};

const maxDays = 367;

const invalid = (name: string, message: string): Problem =>
  new Problem('invalid-request', { detail: `query.${name} ${message}`, errors: [{ path: `query.${name}`, message }] });

export function selectionOf(bankId: number, query: AccountQuery, scope: Scope, tenant: Tenant, now: number): Selection {
  const timeZone = resolveTimeZone(query.TimeZone, tenant.country);
  if (timeZone === undefined) throw invalid('TimeZone', 'must be an IANA or Windows time zone');
  const period = query.Period;
  const days = period === undefined ? daysOf(query, timeZone, now) : undefined;
  const interval = days === undefined ? undefined : dayInterval(days.from, days.through, timeZone);
  return {
    bankId,
    timeZone,
    period,
    days: days === undefined ? undefined : { from: days.from.toString(), through: days.through.toString() },
    interval: interval === undefined ? undefined : { from: interval.fromMs2000, to: interval.toMs2000 },
    place: placeOf(bankId, query, scope),
    userId: userOf(bankId, query),
    kinds: {
      kind: query.Kind,
      includeZero: query.IncludeZero,
      includeBookings: query.IncludeBookings,
      includeMonthly: query.IncludeMonthly,
    },
  };
}

function daysOf(
  query: AccountQuery,
  timeZone: string,
  now: number,
): { from: Temporal.PlainDate; through: Temporal.PlainDate } {
  const date = (name: 'From' | 'Through'): Temporal.PlainDate => {
    const text = query[name];
    const parsed = text === undefined ? todayIn(timeZone, now) : parseCivilDate(text);
    if (parsed === undefined) throw invalid(name, 'must be a calendar date, YYYY-MM-DD');
    return parsed;
  };
  const from = date('From');
  const through = date('Through');
  const count = countDays(from, through);
  if (count < 1) throw invalid('Through', 'must not lie before From');
  if (count > maxDays) throw invalid('Through', `must lie within ${maxDays} days of From, both counted`);
  return { from, through };
}

// The grants alone decide about a place outside them: whether it exists is not told.
function placeOf(bankId: number, { LocationKid, UnitKid }: AccountQuery, { grants }: Scope): PlaceFilter {
  const reach = reachOf(grants, bankId);
  if (reach === undefined) throw unseen('missing-bank-read');
  const covered = (locationId: number): boolean => reach === 'all' || reach.has(locationId);
  if (LocationKid !== undefined) {
    if (LocationKid.bankId !== bankId) throw foreignKid('LocationKid');
    if (!covered(LocationKid.locationId)) throw unseen('missing-location-read');
  }
  if (UnitKid !== undefined) {
    const { locationId, unitId } = UnitKid;
    if (UnitKid.bankId !== bankId) throw foreignKid('UnitKid');
    if (!covered(locationId)) throw unseen('missing-unit-read');
    const elsewhere = LocationKid !== undefined && LocationKid.locationId !== locationId;
    return elsewhere ? { level: 'location', locationIds: [] } : { level: 'unit', locationId, unitId };
  }
  if (LocationKid !== undefined) return { level: 'location', locationIds: [LocationKid.locationId] };
  return reach === 'all' ? { level: 'bank' } : { level: 'location', locationIds: [...reach].toSorted((a, b) => a - b) };
}

function userOf(bankId: number, { UserKid }: AccountQuery): number | undefined {
  if (UserKid !== undefined && UserKid.bankId !== bankId) throw foreignKid('UserKid');
  return UserKid?.userId;
}

const foreignKid = (name: string): Problem =>
  new Problem('invalid-kid', {
    detail: `query.${name} is not of this bank`,
    errors: [{ path: `query.${name}`, message: 'is not of this bank' }],
  });

/** What an account read answers about anything it may not show. */
export const unseen = (reason: string): Problem =>
  new Problem('forbidden', { reason, detail: 'The object is missing or out of the manager’s sight.' });
