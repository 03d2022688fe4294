// Rows that the engine packs, each into one JSON text: where there are tens of thousands of them, they leave the database
// and cross between threads at half the cost of rows of values, and stay small until they are used.

import { sql, type RawBuilder } from 'kysely';

/** The columns of a row, in this order. */
export const packed = (columns: readonly string[]): RawBuilder<string> =>
  sql<string>`json_array(${sql.join(columns.map((column) => sql.ref(column)))})`;

/** Its values; integers are exact, as a `bigint` where no `number` is. */
export function unpacked(row: string): readonly unknown[] {
  const values = JSON.parse(row) as unknown[];
  return values.every(isExact) ? values : exactly(row);
}

// What is rounded is never a safe integer.
const isExact = (value: unknown): boolean => typeof value !== 'number' || Number.isSafeInteger(value);

function exactly(row: string): unknown[] {
  const exact = (_key: string, value: unknown, context?: { readonly source?: string }): unknown =>
    isExact(value) ? value : BigInt(context?.source ?? '');
  return JSON.parse(row, exact) as unknown[];
}
