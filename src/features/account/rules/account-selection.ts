// From the query of an account read to the set of postings it selects.

import { Problem } from '../../../lib/problem.ts';
import { countDays, dayInterval, parseCivilDate, resolveTimeZone, todayIn } from '../../../lib/time-zone.ts';
import type { KidOf } from '../../../lib/kid.ts';
import { coverageOf } from '../../../permissions/coverage.ts';
import type { Scope } from '../../../permissions/scope.ts';
import type { Tenant } from '../../../tenants.ts';
import type { KindFilter } from './kinds.ts';

export type AccountSelectionQuery = {
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

export type TimeInterval = { readonly from: number; readonly to: number };

/** Which places: the whole bank, some of its locations, or one unit. */
export type PlaceFilter =
  | { readonly level: 'bank' }
  | { readonly level: 'location'; readonly locationIds: readonly number[] }
  | { readonly level: 'unit'; readonly locationId: number; readonly unitId: number };

export type AccountSelection = {
  readonly bankId: number;
  readonly timeZone: string;
  /** Civil dates, where the selection is by date. */
  readonly days: { readonly from: string; readonly through: string } | undefined;
  /** The settlement period as clients number it, where the selection is by period. */
  readonly period: number | undefined;
  readonly interval: TimeInterval | undefined;
  readonly place: PlaceFilter;
  readonly userId: number | undefined;
  readonly kinds: KindFilter;
};

const maxSelectedDays = 367;

const createInvalidQueryProblem = (name: string, message: string): Problem =>
  new Problem('invalid-request', { detail: `query.${name} ${message}`, errors: [{ path: `query.${name}`, message }] });

export function parseAccountSelection(
  bankId: number,
  query: AccountSelectionQuery,
  scope: Scope,
  tenant: Tenant,
  now: number,
): AccountSelection {
  const timeZone = resolveTimeZone(query.TimeZone, tenant.country);
  if (timeZone === undefined) throw createInvalidQueryProblem('TimeZone', 'must be an IANA or Windows time zone');
  const period = query.Period;
  const days = period === undefined ? parseDays(query, timeZone, now) : undefined;
  const interval = days === undefined ? undefined : dayInterval(days.from, days.through, timeZone);
  return {
    bankId,
    timeZone,
    period,
    days: days === undefined ? undefined : { from: days.from.toString(), through: days.through.toString() },
    interval: interval === undefined ? undefined : { from: interval.fromMs2000, to: interval.toMs2000 },
    place: parsePlaceFilter(bankId, query, scope),
    userId: parseUserFilter(bankId, query),
    kinds: {
      kind: query.Kind,
      includeZero: query.IncludeZero,
      includeBookings: query.IncludeBookings,
      includeMonthly: query.IncludeMonthly,
    },
  };
}

function parseDays(
  query: AccountSelectionQuery,
  timeZone: string,
  now: number,
): { from: Temporal.PlainDate; through: Temporal.PlainDate } {
  const date = (name: 'From' | 'Through'): Temporal.PlainDate => {
    const text = query[name];
    const parsed = text === undefined ? todayIn(timeZone, now) : parseCivilDate(text);
    if (parsed === undefined) throw createInvalidQueryProblem(name, 'must be a calendar date, YYYY-MM-DD');
    return parsed;
  };
  const from = date('From');
  const through = date('Through');
  const count = countDays(from, through);
  if (count < 1) throw createInvalidQueryProblem('Through', 'must not lie before From');
  if (count > maxSelectedDays)
    throw createInvalidQueryProblem('Through', `must lie within ${maxSelectedDays} days of From, both counted`);
  return { from, through };
}

// The grants alone decide about a place outside them: whether it exists is not told.
function parsePlaceFilter(
  bankId: number,
  { LocationKid, UnitKid }: AccountSelectionQuery,
  { grants }: Scope,
): PlaceFilter {
  const coverage = coverageOf(grants, bankId);
  if (coverage === undefined) throw createNotVisibleProblem('missing-bank-read');
  const isCovered = (locationId: number): boolean => coverage === 'all' || coverage.has(locationId);
  if (LocationKid !== undefined) {
    if (LocationKid.bankId !== bankId) throw createForeignKidProblem('LocationKid');
    if (!isCovered(LocationKid.locationId)) throw createNotVisibleProblem('missing-location-read');
  }
  if (UnitKid !== undefined) {
    const { locationId, unitId } = UnitKid;
    if (UnitKid.bankId !== bankId) throw createForeignKidProblem('UnitKid');
    if (!isCovered(locationId)) throw createNotVisibleProblem('missing-unit-read');
    const isOtherLocation = LocationKid !== undefined && LocationKid.locationId !== locationId;
    return isOtherLocation ? { level: 'location', locationIds: [] } : { level: 'unit', locationId, unitId };
  }
  if (LocationKid !== undefined) return { level: 'location', locationIds: [LocationKid.locationId] };
  return coverage === 'all'
    ? { level: 'bank' }
    : { level: 'location', locationIds: [...coverage].toSorted((a, b) => a - b) };
}

function parseUserFilter(bankId: number, { UserKid }: AccountSelectionQuery): number | undefined {
  if (UserKid !== undefined && UserKid.bankId !== bankId) throw createForeignKidProblem('UserKid');
  return UserKid?.userId;
}

const createForeignKidProblem = (name: string): Problem =>
  new Problem('invalid-kid', {
    detail: `query.${name} is not of this bank`,
    errors: [{ path: `query.${name}`, message: 'is not of this bank' }],
  });

/** What an account read answers about anything it may not show. */
export const createNotVisibleProblem = (reason: string): Problem =>
  new Problem('forbidden', { reason, detail: 'The object is missing or out of the manager’s sight.' });
