// Searches and sorts bookings by names as they are shown. A selection may hold very many bookings, but only so many names:
// each name is told, searched and ranked once.

import type { Direction } from '../../http/listing.ts';
import { localiseName } from '../../lib/language.ts';
import { foundIn, nameOrder } from '../../lib/lists.ts';
import type { NamedRow } from './queries/bookings.ts';
import { isUnnamed, type ItemContext } from './schemas.ts';

type Wish = {
  readonly filter?: string;
  readonly sort: 'start' | 'unit' | 'user';
  readonly direction: Direction;
};

/** The ids of those found, in order; ties by start, and then in the order of booking. */
export function foundByNames(
  rows: readonly NamedRow[],
  { filter, sort, direction }: Wish,
  context: ItemContext,
): number[] {
  const unitName = once((stored: string) => localiseName(stored, context.language));
  const isFound = once((name: string) => foundIn(filter, name));
  const all = rows.map((row) => ({
    row,
    unit: unitName(row.unit_name ?? ''),
    user: isUnnamed(row, context) ? '' : (row.resident_name ?? ''),
  }));
  const found = all.filter(({ row, unit, user }) => isFound(unit) || isFound(row.location_name) || isFound(user));
  const rank =
    sort === 'start'
      ? () => 0
      : ranks(
          found.map((each) => each[sort]),
          context.language,
        );
  const sign = direction === 'asc' ? 1 : -1;
  const startSign = sort === 'start' ? sign : 1;
  return found
    .map(({ row, unit, user }) => ({ row, rank: rank(sort === 'unit' ? unit : user) }))
    .toSorted((a, b) => sign * (a.rank - b.rank) || startSign * byStart(a.row, b.row))
    .map(({ row }) => row.booking_id);
}

const byStart = (a: NamedRow, b: NamedRow): number => a.start_at - b.start_at || a.booking_id - b.booking_id;

/** Numbers names in the order of the language; those that it does not tell apart have the same number. */
function ranks(names: readonly string[], language: string): (name: string) => number {
  const compare = nameOrder(language);
  const inOrder = [...new Set(names)].toSorted(compare);
  const numbers = new Map<string, number>();
  let last = 0;
  for (const [at, name] of inOrder.entries()) {
    if (at > 0 && compare(inOrder[at - 1] ?? '', name) !== 0) last = at;
    numbers.set(name, last);
  }
  return (name) => numbers.get(name) ?? 0;
}

/** Remembers what came of each text. */
function once<T>(work: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const result = work(text);
    known.set(text, result);
    return result;
  };
}
