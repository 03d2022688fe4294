// Filters and sorts bookings by the names that a list shows. It works on the distinct names of a selection and the
// number of bookings of each, so that a page needs only a few slices of the bookings themselves.

import type { SortDirection } from '../../../http/schemas/list-schemas.ts';
import { localiseName, type Language } from '../../../lib/language.ts';
import { matchesFilter, createNameComparator } from '../../../lib/paging.ts';
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
export type NameGroup = BookingFilter & { readonly count: number };

/** `take` bookings of a group after the first `skip`. */
export type NameGroupSlice = { readonly group: NameGroup; readonly skip: number; readonly take: number };

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
  return groupByName(units, nameOf, direction, reader).map((group) => ({
    units: group,
    residentIds: [],
    includesAnonymous: false,
    count: sumCounts(group),
  }));
}

/** The groups in the order of the residents' names. Bookings without a name are one group. */
export function groupResidentsByName(
  residents: readonly BookingsByResidentRow[],
  direction: SortDirection,
  reader: NameReader,
): NameGroup[] {
  return groupByName(residents, (resident) => visibleResidentName(resident, reader), direction, reader).map(
    (group) => ({
      units: [],
      ...toResidentFilter(group),
      count: sumCounts(group),
    }),
  );
}

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
): T[][] {
  const compare = createNameComparator(reader.language);
  const rowsByName = [...Map.groupBy(rows, nameOf)].toSorted(([a], [b]) => compare(a, b));
  const groups: T[][] = [];
  for (const [index, [name, sameNameRows]] of rowsByName.entries()) {
    const [previousName] = rowsByName[index - 1] ?? [];
    if (previousName !== undefined && compare(previousName, name) === 0) groups.at(-1)?.push(...sameNameRows);
    else groups.push([...sameNameRows]);
  }
  return direction === 'asc' ? groups : groups.toReversed();
}
