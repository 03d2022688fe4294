// Rows that the engine packs, each into one JSON text: where there are tens of thousands of them, they leave the database
// and cross between threads at half the cost of rows of values, and stay small until they are used.

import { sql, type RawBuilder } from 'kysely';

/** The columns of a row, in this order. */
export const packed = (columns: readonly string[]): RawBuilder<string> =>
  sql<string>`json_array(${sql.join(columns.map((column) => sql.ref(column)))})`;

/** Its values; integers are exact, as a `bigint` where no `number` is. */
export const unpacked = (row: string): readonly unknown[] => exactValues(JSON.parse(row) as unknown[], row);

/** The values of several rows, which are parsed at once: that is cheaper, and takes room for all of them. */
export const unpackedRows = (rows: readonly string[]): (readonly unknown[])[] =>
  (JSON.parse(`[${rows.join()}]`) as unknown[][]).map((values, at) => exactValues(values, rows[at] ?? ''));

function exactValues(values: unknown[], row: string): unknown[] {
  // By hand: there are millions of values.
  for (let at = 0; at < values.length; at += 1) if (!isExact(values[at])) return exactly(row);
  return values;
}

// What is rounded is never a safe integer.
const isExact = (value: unknown): boolean => typeof value !== 'number' || Number.isSafeInteger(value);

function exactly(row: string): unknown[] {
  const exact = (_key: string, value: unknown, context?: { readonly source?: string }): unknown =>
    isExact(value) ? value : BigInt(context?.source ?? '');
  return JSON.parse(row, exact) as unknown[];
}
