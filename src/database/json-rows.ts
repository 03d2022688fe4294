// Reads rows as one JSON text each. Tens of thousands of rows leave the database and cross threads at half the cost,
// and stay small until they are parsed.

import { sql, type RawBuilder } from 'kysely';

/** The columns of a row, in this order. */
export const jsonArrayOf = (columns: readonly string[]): RawBuilder<string> =>
  sql<string>`json_array(${sql.join(columns.map((column) => sql.ref(column)))})`;

/** Its values; integers are exact, as a `bigint` where no `number` is. */
export const parseJsonRow = (row: string): readonly unknown[] => withExactIntegers(JSON.parse(row) as unknown[], row);

/** The values of several rows, which are parsed at once: that is cheaper, and takes room for all of them. */
export const parseJsonRows = (rows: readonly string[]): (readonly unknown[])[] =>
  (JSON.parse(`[${rows.join()}]`) as unknown[][]).map((values, at) => withExactIntegers(values, rows[at] ?? ''));

function withExactIntegers(values: unknown[], row: string): unknown[] {
  // By hand: there are millions of values.
  for (let at = 0; at < values.length; at += 1) if (!isSafeNumber(values[at])) return parseExactRow(row);
  return values;
}

// What is rounded is never a safe integer.
const isSafeNumber = (value: unknown): boolean => typeof value !== 'number' || Number.isSafeInteger(value);

function parseExactRow(row: string): unknown[] {
  const exact = (_key: string, value: unknown, context?: { readonly source?: string }): unknown =>
    isSafeNumber(value) ? value : BigInt(context?.source ?? '');
  return JSON.parse(row, exact) as unknown[];
}
