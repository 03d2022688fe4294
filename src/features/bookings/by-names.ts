// Searches and sorts bookings by names as they are shown. A selection may hold very many bookings, but only so many names:
// each is told, searched and ranked once, and of those of one name it is known how many bookings are theirs. So a page is
// a few cuts out of the stretches of equal names, and nothing else of the selection is read.

import type { Direction } from '../../http/listing.ts';
import { localiseName } from '../../lib/language.ts';
import { foundIn, nameOrder } from '../../lib/lists.ts';
import { isAnonymized } from '../account/rules/identity.ts';
import type { UnitRow, UserRow } from './queries/names.ts';
import type { Narrowing } from './queries/selected.ts';
import type { ItemContext } from './schemas.ts';

type Reader = Pick<ItemContext, 'language' | 'now'>;

/** Bookings whose names are not told apart, in the order of their starts. */
export type Stretch = Narrowing & { readonly count: number };

/** `take` bookings of a stretch after the first `skip`. */
export type Cut = { readonly stretch: Stretch; readonly skip: number; readonly take: number };

/** What a booking is found by: its unit’s name, its location’s, or its resident’s. */
export function foundByNames(
  filter: string,
  { units, users }: { readonly units: readonly UnitRow[]; readonly users: readonly UserRow[] },
  reader: Reader,
): Narrowing {
  const isFound = ({ location_name, unit_name }: UnitRow): boolean =>
    foundIn(filter, location_name, localiseName(unit_name ?? '', reader.language));
  const named = users.filter((user) => foundIn(filter, userName(user, reader)));
  return { units: units.filter(isFound), ...ofUsers(named) };
}

/** In the order of the units’ names. */
export function unitStretches(units: readonly UnitRow[], direction: Direction, reader: Reader): Stretch[] {
  const nameOf = ({ unit_name }: UnitRow): string => localiseName(unit_name ?? '', reader.language);
  return inOrder(units, nameOf, direction, reader).map((group) => ({
    units: group,
    userIds: [],
    unnamed: false,
    count: countOf(group),
  }));
}

/** In the order of the residents’ names; those without one are one stretch. */
export function userStretches(users: readonly UserRow[], direction: Direction, reader: Reader): Stretch[] {
  return inOrder(users, (user) => userName(user, reader), direction, reader).map((group) => ({
    units: [],
    ...ofUsers(group),
    count: countOf(group),
  }));
}

/** Where a page lies in stretches that follow each other, and one booking more where there is one. */
export function cutsOf(
  stretches: readonly Stretch[],
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Cut[] {
  const cuts: Cut[] = [];
  let from = 0;
  for (const stretch of stretches) {
    const skip = Math.max(0, offset - from);
    const take = Math.min(stretch.count, offset + limit + 1 - from) - skip;
    if (take > 0) cuts.push({ stretch, skip, take });
    from += stretch.count;
  }
  return cuts;
}

/** Of bookings that start before the cutoff there is one row for all. */
function userName({ user_id, resident_name, resident_expired_at }: UserRow, { now }: Reader): string {
  if (user_id === null) return '';
  const identity = { user_id, resident_expired_at, recorded_at: now };
  return isAnonymized(identity, Number.NEGATIVE_INFINITY, now) ? '' : (resident_name ?? '');
}

const ofUsers = (users: readonly UserRow[]): Pick<Narrowing, 'userIds' | 'unnamed'> => ({
  userIds: users.flatMap(({ user_id }) => user_id ?? []),
  unnamed: users.some(({ user_id }) => user_id === null),
});

const countOf = (rows: readonly { readonly count: number }[]): number =>
  rows.reduce((sum, { count }) => sum + count, 0);

/** Groups of names that the language does not tell apart, in its order. */
function inOrder<T>(rows: readonly T[], nameOf: (row: T) => string, direction: Direction, reader: Reader): T[][] {
  const compare = nameOrder(reader.language);
  const byName = [...Map.groupBy(rows, nameOf)].toSorted(([a], [b]) => compare(a, b));
  const groups: T[][] = [];
  for (const [at, [name, group]] of byName.entries()) {
    const [before] = byName[at - 1] ?? [];
    if (before !== undefined && compare(before, name) === 0) groups.at(-1)?.push(...group);
    else groups.push([...group]);
  }
  return direction === 'asc' ? groups : groups.toReversed();
}
