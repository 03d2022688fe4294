// Parts of the queries of long lists: rows are found by words, and the ids of a page before its rows are read.

import { expressionBuilder, sql, type Expression, type SelectQueryBuilder, type SqlBool } from 'kysely';
import type { PageSlice } from '../../lib/values/paging.ts';
import type { WordSearch } from '../../lib/text/search-words.ts';
import type { Tables } from '../tables.ts';

/** How a list is sorted. Both columns are written with their table; rows that sort alike are in the order of their ids. */
export type ListOrder = {
  readonly idColumn: string;
  readonly sortColumn: string;
  readonly direction: 'asc' | 'desc';
  /** Whether the sort column can be null, which sorts below every value. */
  readonly isNullable?: boolean;
};

/** The sort value and the id of the last row of a page. */
export type ListPosition = readonly [sortKey: string | number | null, id: number];

export const orderList = <DB, TB extends keyof DB, O>(
  matching: SelectQueryBuilder<DB, TB, O>,
  { idColumn, sortColumn, direction }: ListOrder,
): SelectQueryBuilder<DB, TB, O> =>
  matching
    .orderBy(sql.ref(sortColumn), direction)
    .$if(sortColumn !== idColumn, (query) => query.orderBy(sql.ref(idColumn), direction));

/**
 * The `id` and `sort_key` of one page, with one row more than its limit if there is one. An index holds both, so that only
 * the rows of the page itself are read: cross join them, since SQLite would otherwise look through the page for each row of
 * the table.
 */
export const selectPage = <DB, TB extends keyof DB, O>(
  matching: SelectQueryBuilder<DB, TB, O>,
  { after, offset, limit, ...order }: ListOrder & PageSlice<ListPosition>,
) =>
  orderList(matching, order)
    .$if(after !== undefined, (query) => query.where(isListedAfter(order, after!)))
    .select([sql.ref<number>(order.idColumn).as('id'), sql.ref(order.sortColumn).as('sort_key')])
    .limit(limit + 1)
    .offset(offset);

/** The bound of the sort column alone lets the index begin at the page. */
function isListedAfter(
  { idColumn, sortColumn, direction, isNullable = false }: ListOrder,
  [sortKey, lastId]: ListPosition,
): Expression<SqlBool> {
  const [id, column] = [sql.ref(idColumn), sql.ref(sortColumn)];
  const isAscending = direction === 'asc';
  const comparison = isAscending ? sql`>` : sql`<`;
  if (sortColumn === idColumn) return sql<SqlBool>`${id} ${comparison} ${lastId}`;
  const isNextId = sql`${id} ${comparison} ${lastId}`;
  if (sortKey === null)
    return isAscending
      ? sql<SqlBool>`(${column} is not null or ${isNextId})`
      : sql<SqlBool>`${column} is null and ${isNextId}`;
  const isAfter = sql`${column} ${comparison}= ${sortKey} and (${column} ${comparison} ${sortKey} or ${isNextId})`;
  return isNullable && !isAscending ? sql<SqlBool>`(${column} is null or (${isAfter}))` : sql<SqlBool>`${isAfter}`;
}

/** Whether a row has the words of a search. `words` selects from the table of words, as `w`, the ids of their rows. */
export function hasWords<DB extends Tables & { w: { word: string } }, O>(
  idColumn: string,
  words: SelectQueryBuilder<DB, 'w', O>,
  search: WordSearch,
): Expression<SqlBool> {
  const eb = expressionBuilder<Tables>();
  const hasWord = ({ from, to }: WordSearch[number][number]) =>
    sql<SqlBool>`${sql.ref(idColumn)} in ${words.where(sql.ref('w.word'), '>=', from).where(sql.ref('w.word'), '<', to)}`;
  return eb.or(search.map((ranges) => eb.and(ranges.map(hasWord))));
}
