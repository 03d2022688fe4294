// Searches and sorts bookings by names as they are shown. A selection may hold very many bookings, but only so many names:
// each is told, searched and ranked once, and of those of one name it is known how many bookings are theirs. So a page is
// a few cuts out of the stretches of equal names, and nothing else of the selection is read.

import type { SortDirection } from '../../../http/list-schemas.ts';
import { localiseName } from '../../../lib/language.ts';
import { matchesFilter, createNameComparator } from '../../../lib/paging.ts';
import { toVisibleIdentity } from '../../residents/rules/identity.ts';
import type { BookingsByUnitRow, BookingsByUserRow } from '../queries/bookings-by-name.ts';
import type { BookingFilter } from '../queries/select-bookings.ts';
import type { BookingItemContext } from '../schemas.ts';

type NameReader = Pick<BookingItemContext, 'language' | 'now'>;

/** Bookings whose names are not told apart, in the order of their starts. */
export type NameGroup = BookingFilter & { readonly count: number };

/** `take` bookings of a stretch after the first `skip`. */
export type NameGroupSlice = { readonly group: NameGroup; readonly skip: number; readonly take: number };

/** What a booking is found by: its unit’s name, its location’s, or its resident’s. */
export function filterByNames(
  filter: string,
  { units, users }: { readonly units: readonly BookingsByUnitRow[]; readonly users: readonly BookingsByUserRow[] },
  reader: NameReader,
): BookingFilter {
  const matchesUnit = ({ location_name, unit_name }: BookingsByUnitRow): boolean =>
    matchesFilter(filter, location_name, localiseName(unit_name ?? '', reader.language));
  const matchingUsers = users.filter((user) => matchesFilter(filter, visibleUserName(user, reader)));
  return { units: units.filter(matchesUnit), ...toUserFilter(matchingUsers) };
}

/** In the order of the units’ names. */
export function groupUnitsByName(
  units: readonly BookingsByUnitRow[],
  direction: SortDirection,
  reader: NameReader,
): NameGroup[] {
  const nameOf = ({ unit_name }: BookingsByUnitRow): string => localiseName(unit_name ?? '', reader.language);
  return groupByName(units, nameOf, direction, reader).map((group) => ({
    units: group,
    userIds: [],
    includesAnonymous: false,
    count: sumCounts(group),
  }));
}

/** In the order of the residents’ names; those without one are one stretch. */
export function groupUsersByName(
  users: readonly BookingsByUserRow[],
  direction: SortDirection,
  reader: NameReader,
): NameGroup[] {
  return groupByName(users, (user) => visibleUserName(user, reader), direction, reader).map((group) => ({
    units: [],
    ...toUserFilter(group),
    count: sumCounts(group),
  }));
}

/** Where a page lies in stretches that follow each other, and one booking more where there is one. */
export function slicePageFromGroups(
  groups: readonly NameGroup[],
  { offset, limit }: { readonly offset: number; readonly limit: number },
): NameGroupSlice[] {
  const slices: NameGroupSlice[] = [];
  let groupOffset = 0;
  for (const stretch of groups) {
    const skip = Math.max(0, offset - groupOffset);
    const take = Math.min(stretch.count, offset + limit + 1 - groupOffset) - skip;
    if (take > 0) slices.push({ group: stretch, skip, take });
    groupOffset += stretch.count;
  }
  return slices;
}

/** Of bookings that start before the cutoff there is one row for all. */
function visibleUserName(
  { user_id, resident_name, resident_expired_at }: BookingsByUserRow,
  { now }: NameReader,
): string {
  if (user_id === null) return '';
  const row = { user_id, resident_name, resident_expired_at, recorded_at: now };
  return toVisibleIdentity(row, { cutoff: Number.NEGATIVE_INFINITY, now }).name;
}

const toUserFilter = (users: readonly BookingsByUserRow[]): Pick<BookingFilter, 'userIds' | 'includesAnonymous'> => ({
  userIds: users.flatMap(({ user_id }) => user_id ?? []),
  includesAnonymous: users.some(({ user_id }) => user_id === null),
});

const sumCounts = (rows: readonly { readonly count: number }[]): number =>
  rows.reduce((sum, { count }) => sum + count, 0);

/** Groups of names that the language does not tell apart, in its order. */
function groupByName<T>(
  rows: readonly T[],
  nameOf: (row: T) => string,
  direction: SortDirection,
  reader: NameReader,
): T[][] {
  const compare = createNameComparator(reader.language);
  const rowsByName = [...Map.groupBy(rows, nameOf)].toSorted(([a], [b]) => compare(a, b));
  const groups: T[][] = [];
  for (const [at, [name, group]] of rowsByName.entries()) {
    const [previousName] = rowsByName[at - 1] ?? [];
    if (previousName !== undefined && compare(previousName, name) === 0) groups.at(-1)?.push(...group);
    else groups.push([...group]);
  }
  return direction === 'asc' ? groups : groups.toReversed();
}
