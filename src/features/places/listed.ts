// One page of a list that is kept by id. By id and unsearched, the database pages it; searched, or sorted by what
// readers read, ids and names alone are read of everything, and the rows of the page after that.

import type { Direction, Page } from '../../http/listing.ts';
import { foundIn, framed, nameOrder, pageOf } from '../../lib/lists.ts';
import type { Language } from '../../lib/language.ts';
import type { Slice } from './queries/slice.ts';

export type Listing<S extends string> = Page & {
  readonly filter?: string;
  readonly sort: 'kid' | S;
  readonly direction: Direction;
};

/** What a row is searched and sorted by. */
export type Entry<S extends string> = {
  readonly id: number;
  readonly searched: readonly string[];
  readonly sorted: Readonly<Record<S, string | number>>;
};

export type Source<S extends string, R> = {
  /** Everything that there is, in any order. */
  readonly entries: () => Promise<readonly Entry<S>[]>;
  readonly rows: (slice: Slice) => Promise<readonly R[]>;
  readonly idOf: (row: R) => number;
};

/** The rows of a page, in their order, with the frame around them. */
export async function readListed<S extends string, R>(
  listing: Listing<S>,
  language: Language,
  { entries, rows, idOf }: Source<S, R>,
) {
  const { filter = '', sort, direction, offset, limit } = listing;
  if (sort === 'kid' && filter === '') return framed(await rows({ direction, offset, limit: limit + 1 }), listing);
  const found = (await entries()).filter(({ searched }) => foundIn(filter, ...searched));
  const page = pageOf(found.toSorted(orderOf(listing, language)), listing);
  if (page.items.length === 0) return { ...page, items: [] };
  const byId = new Map((await rows({ ids: page.items.map(({ id }) => id) })).map((row) => [idOf(row), row]));
  return { ...page, items: page.items.flatMap(({ id }) => byId.get(id) ?? []) };
}

/** Equals stand in the order of their ids, whatever the direction. */
function orderOf<S extends string>(
  { sort, direction }: Listing<S>,
  language: Language,
): (a: Entry<S>, b: Entry<S>) => number {
  const sign = direction === 'asc' ? 1 : -1;
  if (sort === 'kid') return (a, b) => sign * (a.id - b.id);
  const names = nameOrder(language);
  const compare = (a: string | number, b: string | number): number =>
    typeof a === 'number' && typeof b === 'number' ? a - b : names(String(a), String(b));
  return (a, b) => sign * compare(a.sorted[sort], b.sorted[sort]) || a.id - b.id;
}
