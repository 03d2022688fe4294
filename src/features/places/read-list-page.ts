// Reads a page of banks, locations or units. In the order of ids and without a filter, the database selects the page.
// Otherwise the ids and texts of all rows are read, filtered and sorted here, and then the rows of the page.

import type { SortDirection, Pagination } from '../../http/schemas/list-schemas.ts';
import { matchesFilter, toPage, createNameComparator, slicePage } from '../../lib/paging.ts';
import type { Language } from '../../lib/language.ts';
import type { RowSlice } from './queries/row-slice.ts';

export type PlaceListInput<S extends string> = Pagination & {
  readonly filter?: string;
  readonly sort: 'kid' | S;
  readonly direction: SortDirection;
};

/** The texts and values by which a row is searched and sorted. */
export type PlaceListEntry<S extends string> = {
  readonly id: number;
  readonly searchTexts: readonly string[];
  readonly sortValues: Readonly<Record<S, string | number>>;
};

type PlaceListSource<S extends string, R> = {
  /** All entries, in any order. */
  readonly listEntries: () => Promise<readonly PlaceListEntry<S>[]>;
  readonly listRows: (slice: RowSlice) => Promise<readonly R[]>;
  readonly idOf: (row: R) => number;
};

/** The rows of a page, in their order. */
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

/** Rows with equal values are sorted by id, ascending in both directions. */
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
