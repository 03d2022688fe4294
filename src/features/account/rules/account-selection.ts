// Parses the query of an account read into the postings that it selects, as far as the grants cover them. Has the problems
// of account reads, which answer 403 with a reason where other operations answer 404, as specified.

import type { Static } from 'typebox';
import { StorageError } from '../../../database/errors.ts';
import { Problem } from '../../../lib/problem.ts';
import { parseSelectedDays, parseTimeZone } from '../../../lib/time/selected-days.ts';
import { dayInterval } from '../../../lib/time/time-zone.ts';
import { createFieldProblem } from '../../../lib/values/field-problem.ts';
import { coveredLocationIds, covers, findCoveredBank, type GrantedBank } from '../../../permissions/coverage.ts';
import type { Scope } from '../../../permissions/scope.ts';
import type { Tenant } from '../../../tenants.ts';
import type { AccountExportQuery } from '../schemas.ts';
import type { KindFilter } from './posting-kinds.ts';

export type AccountSelectionQuery = Static<typeof AccountExportQuery>;

/** Instants (MS2000); `to` is exclusive. */
export type TimeInterval = { readonly from: number; readonly to: number };

/** The whole bank, some of its locations, or one unit. */
type PlaceFilter =
  | { readonly level: 'bank' }
  | { readonly level: 'location'; readonly locationIds: readonly number[] }
  | { readonly level: 'unit'; readonly locationId: number; readonly unitId: number };

declare const brand: unique symbol;

/** Postings of a bank in places that the grants cover. Only {@link parseAccountSelection} creates one. */
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
  readonly residentId: number | undefined;
};

type AccountSelectionInput = {
  readonly bankId: number;
  readonly query: AccountSelectionQuery;
  readonly tenant: Tenant;
  readonly now: number;
};

/** Throws 400 for an invalid query, and 403 for a place that the grants do not cover. */
export function parseAccountSelection(
  scope: Scope,
  { bankId, query, tenant, now }: AccountSelectionInput,
): AccountSelection {
  const timeZone = parseTimeZone({ name: 'TimeZone', text: query.TimeZone }, tenant.country);
  const period = query.Period;
  const dayTexts = { from: { name: 'From', text: query.From }, through: { name: 'Through', text: query.Through } };
  const days = period === undefined || query.WithinDates ? parseSelectedDays(dayTexts, { timeZone, now }) : undefined;
  const interval = days === undefined ? undefined : dayInterval(days.from, days.through, timeZone);
  const bank = findCoveredBank(scope, { bankId });
  if (bank === undefined) throw createNotVisibleProblem('missing-bank-read');
  return {
    bank,
    place: parsePlaceFilter(bank, query),
    residentId: parseResidentFilter(bank, query),
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

// Only the grants decide, so the answer does not show whether a place outside them exists.
function parsePlaceFilter(bank: GrantedBank, { LocationKid, UnitKid }: AccountSelectionQuery): PlaceFilter {
  const { bankId } = bank;
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
  const locationIds = coveredLocationIds(bank);
  return locationIds === undefined ? { level: 'bank' } : { level: 'location', locationIds };
}

function parseResidentFilter({ bankId }: GrantedBank, { UserKid }: AccountSelectionQuery): number | undefined {
  if (UserKid !== undefined && UserKid.bankId !== bankId) throw createForeignKidProblem('UserKid');
  return UserKid?.residentId;
}

const createForeignKidProblem = (name: string): Problem =>
  createFieldProblem(`query.${name}`, 'must belong to the bank', 'invalid-kid');

/** The answer is the same whether the object does not exist or is not visible. */
export const createNotVisibleProblem = (reason: string): Problem =>
  new Problem('forbidden', { reason, detail: 'The object does not exist or is not visible to this manager.' });

/** What an account read throws for an error of its read: a problem if storage failed, otherwise the error itself. */
export function toAccountReadError(error: unknown, { period }: { readonly period: number | undefined }): unknown {
  if (!(error instanceof StorageError)) return error;
  if (error.failure === 'text-comparison') return new Problem('storage-text-comparison', { cause: error });
  const isPeriodTimeout = period !== undefined && error.failure === 'timeout';
  return new Problem(isPeriodTimeout ? 'periods-timeout' : 'storage-timeout', { cause: error });
}
