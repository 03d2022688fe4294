// Parts of the queries of long lists: rows are found by words, and the ids of a page before its rows are read.

import { expressionBuilder, sql, type Expression, type SelectQueryBuilder, type SqlBool } from 'kysely';
import type { WordSearch } from '../lib/search-words.ts';
import type { Tables } from './tables.ts';

/** How a list is sorted. Both columns are written with their table; rows that sort alike are in the order of their ids. */
export type ListOrder = { readonly idColumn: string; readonly sortColumn: string; readonly direction: 'asc' | 'desc' };

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
  { offset, limit, ...order }: ListOrder & { readonly offset: number; readonly limit: number },
) =>
  orderList(matching, order)
    .select([sql.ref<number>(order.idColumn).as('id'), sql.ref(order.sortColumn).as('sort_key')])
    .limit(limit + 1)
    .offset(offset);

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
