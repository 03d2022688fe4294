// Reads a page of banks, locations or units.

import type { ManagerContext } from '../../http/context/operation-context.ts';
import { openPage } from '../../http/pagination/open-page.ts';
import type { SortDirection, PageQuery } from '../../http/schemas/list-schemas.ts';
import { matchesFilter, toPage, createNameComparator, type PageRequest } from '../../lib/values/paging.ts';
import type { Language } from '../../lib/text/language.ts';
import type { RowSlice } from './queries/row-slice.ts';

type PlaceListOrder<S extends string> = {
  readonly filter?: string;
  readonly sort: 'kid' | S;
  readonly direction: SortDirection;
};

export type PlaceListQuery<S extends string> = PlaceListOrder<S> & PageQuery;

/** The id of the last row of a page, and the value by which it is sorted; null if that is the id. */
type PlacePosition = readonly [id: number, value: string | number | null];

export type PlaceListInput<S extends string> = PlaceListOrder<S> & { readonly page: PageRequest<PlacePosition> };

export const openPlaceList = async <S extends string>(
  context: ManagerContext,
  query: PlaceListQuery<S>,
): Promise<PlaceListInput<S>> => ({ ...query, page: await openPage(context, query) });

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

/**
 * The rows of a page, in their order. In the order of ids and without a filter, the database selects the page.
 * Otherwise this function reads, filters and sorts the ids and texts of all rows, and then reads the rows of the page.
 */
export async function readListPage<S extends string, R>(
  input: PlaceListInput<S>,
  language: Language,
  { listEntries, listRows, idOf }: PlaceListSource<S, R>,
) {
  const { filter = '', sort, direction, page: request } = input;
  const { after, offset, limit } = request;
  if (sort === 'kid' && filter === '') {
    const slice = { direction, after: after && ([after[0]] as const), offset, limit: limit + 1 };
    return toPage(await listRows(slice), request, (row) => [idOf(row), null]);
  }
  const compare = createComparator(input, language);
  const positionOf = ({ id, sortValues }: PlaceListEntry<S>): PlacePosition => [
    id,
    sort === 'kid' ? null : sortValues[sort],
  ];
  const listed = (await listEntries())
    .filter(({ searchTexts }) => matchesFilter(filter, ...searchTexts))
    .map((entry) => ({ id: entry.id, position: positionOf(entry) }))
    .filter(({ position }) => after === undefined || compare(position, after) > 0)
    .toSorted((a, b) => compare(a.position, b.position));
  const page = toPage(listed.slice(offset, offset + limit + 1), request, ({ position }) => position);
  if (page.items.length === 0) return { ...page, items: [] };
  const byId = new Map((await listRows({ ids: page.items.map(({ id }) => id) })).map((row) => [idOf(row), row]));
  return { ...page, items: page.items.flatMap(({ id }) => byId.get(id) ?? []) };
}

/** Rows with equal values are sorted by id, ascending in both directions. */
function createComparator(
  { sort, direction }: PlaceListOrder<string>,
  language: Language,
): (a: PlacePosition, b: PlacePosition) => number {
  const sign = direction === 'asc' ? 1 : -1;
  if (sort === 'kid') return ([a], [b]) => sign * (a - b);
  const compareNames = createNameComparator(language);
  const compare = (a: string | number, b: string | number): number =>
    typeof a === 'number' && typeof b === 'number' ? a - b : compareNames(String(a), String(b));
  return ([a, valueOfA], [b, valueOfB]) => sign * compare(valueOfA ?? '', valueOfB ?? '') || a - b;
}
