// One page of a list that is kept by id. By id and unsearched, the database pages it; searched, or sorted by what
// readers read, ids and names alone are read of everything, and the rows of the page after that.

import type { SortDirection, Pagination } from '../../http/list-schemas.ts';
import { matchesFilter, toPage, createNameComparator, slicePage } from '../../lib/paging.ts';
import type { Language } from '../../lib/language.ts';
import type { RowSlice } from './queries/row-slice.ts';

export type PlaceListInput<S extends string> = Pagination & {
  readonly filter?: string;
  readonly sort: 'kid' | S;
  readonly direction: SortDirection;
};

/** What a row is searched and sorted by. */
export type PlaceListEntry<S extends string> = {
  readonly id: number;
  readonly searchTexts: readonly string[];
  readonly sortValues: Readonly<Record<S, string | number>>;
};

export type PlaceListSource<S extends string, R> = {
  /** Everything that there is, in any order. */
  readonly listEntries: () => Promise<readonly PlaceListEntry<S>[]>;
  readonly listRows: (slice: RowSlice) => Promise<readonly R[]>;
  readonly idOf: (row: R) => number;
};

/** The rows of a page, in their order, with the frame around them. */
export async function readListPage<S extends string, R>(
  input: PlaceListInput<S>,
  language: Language,
  { listEntries, listRows, idOf }: PlaceListSource<S, R>,
) {
  const { filter = '', sort, direction, offset, limit } = input;
  if (sort === 'kid' && filter === '') return toPage(await listRows({ direction, offset, limit: limit + 1 }), input);
  const matchingEntries = (await listEntries()).filter(({ searchTexts }) => matchesFilter(filter, ...searchTexts));
  const page = slicePage(matchingEntries.toSorted(createEntryComparator(input, language)), input);
  if (page.items.length === 0) return { ...page, items: [] };
  const byId = new Map((await listRows({ ids: page.items.map(({ id }) => id) })).map((row) => [idOf(row), row]));
  return { ...page, items: page.items.flatMap(({ id }) => byId.get(id) ?? []) };
}

/** Equals stand in the order of their ids, whatever the direction. */
function createEntryComparator<S extends string>(
  { sort, direction }: PlaceListInput<S>,
  language: Language,
): (a: PlaceListEntry<S>, b: PlaceListEntry<S>) => number {
  const sign = direction === 'asc' ? 1 : -1;
  if (sort === 'kid') return (a, b) => sign * (a.id - b.id);
  const compareNames = createNameComparator(language);
  const compare = (a: string | number, b: string | number): number =>
    typeof a === 'number' && typeof b === 'number' ? a - b : compareNames(String(a), String(b));
  return (a, b) => sign * compare(a.sortValues[sort], b.sortValues[sort]) || a.id - b.id;
}
