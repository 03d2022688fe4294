// A hint that keeps the planner from using an index, in a spelling that both engines accept.

import { sql, type RawBuilder } from 'kysely';

/**
 * A column by which no index is searched. SQLite, which keeps no statistics, values several bounds of time so highly that
 * it goes through a whole bank's interval by one index where another leads straight to a resident's few postings.
 */
export const withoutIndex = (column: string): RawBuilder<number> => sql<number>`${sql.ref(column)} + 0`;

/** Keeps the engine from using an index on a column of text. */
export const textWithoutIndex = (column: string): RawBuilder<string> => sql<string>`+${sql.ref(column)}`;
