// Filters and sorts bookings by the names that a list shows. It works on the distinct names of a selection and the
// number of bookings of each, so that a page needs only a few slices of the bookings themselves.

import type { SortDirection } from '../../../http/schemas/list-schemas.ts';
import { localiseName, type Language } from '../../../lib/text/language.ts';
import { matchesFilter, createNameComparator } from '../../../lib/values/paging.ts';
import { toVisibleIdentity } from '../../residents/rules/identity.ts';
import type { BookingFilter } from './booking-criteria.ts';
import type { UnitInBankKey } from './unit-in-bank.ts';

export type BookingsByUnitRow = UnitInBankKey & {
  readonly location_name: string;
  readonly unit_name: string | null;
  readonly count: number;
};

export type BookingsByResidentRow = {
  /** Null: all bookings that start before the identity cutoff. */
  readonly user_id: number | null;
  readonly resident_name: string | null;
  readonly resident_expired_at: number | null;
  readonly count: number;
};

export type NameReader = { readonly language: Language; readonly now: number };

/** Bookings whose names sort as equal. Within a group they are sorted by start. */
export type NameGroup = BookingFilter & { readonly name: string; readonly count: number };

/** A name of the last booking of a page, and that booking. */
type NamePosition = readonly [name: string, startAt: number, bookingId: number];

/** `take` bookings of a group after the first `skip`, or after one of them; there may be fewer of these. */
export type NameGroupSlice = {
  readonly group: NameGroup;
  readonly skip: number;
  readonly take: number;
  readonly after?: readonly [startAt: number, bookingId: number];
};

/** Matches the bookings whose unit, location or resident has a name that contains the text. */
export function filterByNames(
  text: string,
  {
    units,
    residents,
  }: { readonly units: readonly BookingsByUnitRow[]; readonly residents: readonly BookingsByResidentRow[] },
  reader: NameReader,
): BookingFilter {
  const matchesUnit = ({ location_name, unit_name }: BookingsByUnitRow): boolean =>
    matchesFilter(text, location_name, localiseName(unit_name ?? '', reader.language));
  const matchingResidents = residents.filter((resident) => matchesFilter(text, visibleResidentName(resident, reader)));
  return { units: units.filter(matchesUnit), ...toResidentFilter(matchingResidents) };
}

/** The groups in the order of the units' names. */
export function groupUnitsByName(
  units: readonly BookingsByUnitRow[],
  direction: SortDirection,
  reader: NameReader,
): NameGroup[] {
  const nameOf = ({ unit_name }: BookingsByUnitRow): string => localiseName(unit_name ?? '', reader.language);
  return groupByName(units, nameOf, direction, reader).map(({ name, rows: group }) => ({
    name,
    units: group,
    residentIds: [],
    includesAnonymous: false,
    count: sumCounts(group),
  }));
}

/** The groups in the order of the residents' names. Bookings without a name are one group. */
export const groupResidentsByName = (
  residents: readonly BookingsByResidentRow[],
  direction: SortDirection,
  reader: NameReader,
): NameGroup[] =>
  groupByName(residents, (resident) => visibleResidentName(resident, reader), direction, reader).map(
    ({ name, rows: group }) => ({
      name,
      units: [],
      ...toResidentFilter(group),
      count: sumCounts(group),
    }),
  );

/** The slices that a page consists of, with one booking more than its limit if there is one. */
export function slicePageFromGroups(
  groups: readonly NameGroup[],
  { offset, limit }: { readonly offset: number; readonly limit: number },
): NameGroupSlice[] {
  const slices: NameGroupSlice[] = [];
  let groupOffset = 0;
  for (const group of groups) {
    const skip = Math.max(0, offset - groupOffset);
    const take = Math.min(group.count, offset + limit + 1 - groupOffset) - skip;
    if (take > 0) slices.push({ group, skip, take });
    groupOffset += group.count;
  }
  return slices;
}

/**
 * Slices the bookings after a position into a page. A group that has begun before is read up to the end of the page,
 * since it is not known how many of its bookings are left; so the slices may have more bookings than the page.
 */
export function slicePageAfter(
  groups: readonly NameGroup[],
  [name, startAt, bookingId]: NamePosition,
  { direction, limit }: { readonly direction: SortDirection; readonly limit: number },
  { language }: NameReader,
): NameGroupSlice[] {
  const compare = createNameComparator(language);
  const sign = direction === 'asc' ? 1 : -1;
  const begun = groups.filter((group) => compare(group.name, name) === 0);
  const later = groups.filter((group) => sign * compare(group.name, name) > 0);
  return [
    ...begun.map((group) => ({ group, skip: 0, take: limit + 1, after: [startAt, bookingId] as const })),
    ...slicePageFromGroups(later, { offset: 0, limit }),
  ];
}

/** The name that a list shows for all bookings of the row; empty if the identity is not shown. */
function visibleResidentName(
  { user_id, resident_name, resident_expired_at }: BookingsByResidentRow,
  { now }: NameReader,
): string {
  if (user_id === null) return '';
  // The row counts only bookings that start at the identity cutoff or later.
  const row = { user_id, resident_name, resident_expired_at, recorded_at: now };
  return toVisibleIdentity(row, { cutoff: Number.NEGATIVE_INFINITY, now }).name;
}

const toResidentFilter = (
  residents: readonly BookingsByResidentRow[],
): Pick<BookingFilter, 'residentIds' | 'includesAnonymous'> => ({
  residentIds: residents.flatMap(({ user_id }) => user_id ?? []),
  includesAnonymous: residents.some(({ user_id }) => user_id === null),
});

const sumCounts = (rows: readonly { readonly count: number }[]): number =>
  rows.reduce((sum, { count }) => sum + count, 0);

/** Groups rows whose names the language sorts as equal, in the order of the language. */
function groupByName<T>(
  rows: readonly T[],
  nameOf: (row: T) => string,
  direction: SortDirection,
  reader: NameReader,
): { readonly name: string; readonly rows: readonly T[] }[] {
  const compare = createNameComparator(reader.language);
  const rowsByName = [...Map.groupBy(rows, nameOf)].toSorted(([a], [b]) => compare(a, b));
  const groups: { readonly name: string; readonly rows: T[] }[] = [];
  for (const [name, sameNameRows] of rowsByName) {
    const previous = groups.at(-1);
    if (previous !== undefined && compare(previous.name, name) === 0) previous.rows.push(...sameNameRows);
    else groups.push({ name, rows: [...sameNameRows] });
  }
  return direction === 'asc' ? groups : groups.toReversed();
}
