// Parses the query of an account read into the postings that it selects, as far as the grants cover them.

import { Problem } from '../../../lib/problem.ts';
import { countDays, dayInterval, parseCivilDate, resolveTimeZone, todayIn } from '../../../lib/time-zone.ts';
import type { KidOf } from '../../../lib/kid.ts';
import { covers, findCoveredBank, type GrantedBank } from '../../../permissions/coverage.ts';
import type { Scope } from '../../../permissions/scope.ts';
import type { Tenant } from '../../../tenants.ts';
import { createNotVisibleProblem } from './account-problems.ts';
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

/** Instants (MS2000); `to` is exclusive. */
export type TimeInterval = { readonly from: number; readonly to: number };

/** The whole bank, some of its locations, or one unit. */
export type PlaceFilter =
  | { readonly level: 'bank' }
  | { readonly level: 'location'; readonly locationIds: readonly number[] }
  | { readonly level: 'unit'; readonly locationId: number; readonly unitId: number };

declare const brand: unique symbol;

/** Postings of a bank in places that the grants cover. Only {@link parseAccountSelection} makes one. */
export type PostingFilter = {
  readonly bank: GrantedBank;
  readonly place: PlaceFilter;
  readonly kinds: KindFilter;
  readonly [brand]: true;
};

export type AccountSelection = PostingFilter & {
  readonly timeZone: string;
  /** Calendar dates; undefined in a selection by period. */
  readonly days: { readonly from: string; readonly through: string } | undefined;
  readonly interval: TimeInterval | undefined;
  /** The settlement period as clients number it (0 is the current one); undefined in a selection by date. */
  readonly period: number | undefined;
  readonly userId: number | undefined;
};

type AccountSelectionInput = {
  readonly bankId: number;
  readonly query: AccountSelectionQuery;
  readonly tenant: Tenant;
  readonly now: number;
};

const maxSelectedDays = 367;

const createInvalidQueryProblem = (name: string, message: string): Problem =>
  new Problem('invalid-request', { detail: `query.${name} ${message}`, errors: [{ path: `query.${name}`, message }] });

/** Throws 400 for an invalid query, and 403 for a place that the grants do not cover. */
export function parseAccountSelection(
  scope: Scope,
  { bankId, query, tenant, now }: AccountSelectionInput,
): AccountSelection {
  const timeZone = resolveTimeZone(query.TimeZone, tenant.country);
  if (timeZone === undefined) throw createInvalidQueryProblem('TimeZone', 'must be an IANA or Windows time zone');
  const period = query.Period;
  const days = period === undefined ? parseDays(query, timeZone, now) : undefined;
  const interval = days === undefined ? undefined : dayInterval(days.from, days.through, timeZone);
  const bank = findCoveredBank(scope, { bankId });
  if (bank === undefined) throw createNotVisibleProblem('missing-bank-read');
  return {
    bank,
    place: parsePlaceFilter(bank, query),
    userId: parseUserFilter(bank, query),
    kinds: {
      kind: query.Kind,
      includeZero: query.IncludeZero,
      includeBookings: query.IncludeBookings,
      includeMonthly: query.IncludeMonthly,
    },
    timeZone,
    days: days === undefined ? undefined : { from: days.from.toString(), through: days.through.toString() },
    interval: interval === undefined ? undefined : { from: interval.fromMs2000, to: interval.toMs2000 },
    period,
  } as AccountSelection;
}

function parseDays(
  query: AccountSelectionQuery,
  timeZone: string,
  now: number,
): { from: Temporal.PlainDate; through: Temporal.PlainDate } {
  const date = (name: 'From' | 'Through'): Temporal.PlainDate => {
    const text = query[name];
    const parsed = text === undefined ? todayIn(timeZone, now) : parseCivilDate(text);
    if (parsed === undefined) throw createInvalidQueryProblem(name, 'must be a date, YYYY-MM-DD');
    return parsed;
  };
  const from = date('From');
  const through = date('Through');
  const count = countDays(from, through);
  if (count < 1) throw createInvalidQueryProblem('Through', 'must not be before From');
  if (count > maxSelectedDays)
    throw createInvalidQueryProblem('Through', `must be at most ${maxSelectedDays} days from From, both included`);
  return { from, through };
}

// The grants alone decide, so the answer does not show whether a place outside them exists.
function parsePlaceFilter(bank: GrantedBank, { LocationKid, UnitKid }: AccountSelectionQuery): PlaceFilter {
  const { bankId, coverage } = bank;
  if (LocationKid !== undefined) {
    if (LocationKid.bankId !== bankId) throw createForeignKidProblem('LocationKid');
    if (!covers(bank, LocationKid.locationId)) throw createNotVisibleProblem('missing-location-read');
  }
  if (UnitKid !== undefined) {
    const { locationId, unitId } = UnitKid;
    if (UnitKid.bankId !== bankId) throw createForeignKidProblem('UnitKid');
    if (!covers(bank, locationId)) throw createNotVisibleProblem('missing-unit-read');
    const isOtherLocation = LocationKid !== undefined && LocationKid.locationId !== locationId;
    return isOtherLocation ? { level: 'location', locationIds: [] } : { level: 'unit', locationId, unitId };
  }
  if (LocationKid !== undefined) return { level: 'location', locationIds: [LocationKid.locationId] };
  return coverage === 'all'
    ? { level: 'bank' }
    : { level: 'location', locationIds: [...coverage].toSorted((a, b) => a - b) };
}

function parseUserFilter({ bankId }: GrantedBank, { UserKid }: AccountSelectionQuery): number | undefined {
  if (UserKid !== undefined && UserKid.bankId !== bankId) throw createForeignKidProblem('UserKid');
  return UserKid?.userId;
}

const createForeignKidProblem = (name: string): Problem =>
  new Problem('invalid-kid', {
    detail: `query.${name} belongs to another bank`,
    errors: [{ path: `query.${name}`, message: 'belongs to another bank' }],
  });
