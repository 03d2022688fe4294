// Reads rows as one JSON text each. Tens of thousands of rows leave the database and cross threads at half the cost,
// and stay small until they are parsed.

import { sql, type AliasableExpression, type Compilable, type RawBuilder } from 'kysely';
import type { Db } from '../db.ts';

/** The columns of a row, in this order. */
export const jsonArrayOf = (columns: readonly string[]): RawBuilder<string> =>
  sql<string>`json_array(${sql.join(columns.map((column) => sql.ref(column)))})`;

type Row = { readonly row: string };
type PackableQuery = AliasableExpression<Row> & JoinedQuery;
type JoinedQuery = Compilable<JoinedRows> & { execute(): Promise<JoinedRows[]> };
type JoinedRows = { readonly row: string | null; readonly count?: number };

/** The values of these columns, in their order. */
export type PackedRow<Stored, Columns extends readonly (keyof Stored)[]> = {
  readonly [Index in keyof Columns]: Stored[Columns[Index]];
};

/** Many rows as one text, which `parsePackedRows` reads. */
export type PackedRows = { readonly text: string; readonly count: number };

/** A line break inside of a value is escaped in JSON, so that each line is a row. */
const separator = ',\n';

/**
 * A query for the rows of another one, whose one column `row` is such an array. They come in its order, and where the
 * engine can, as one text: a text for each costs as much as to make it. `toPackedRows` takes what it answers.
 */
export function joinPackedRows(db: Db, query: PackableQuery): JoinedQuery {
  const { joinTexts } = db.dialect;
  if (joinTexts === undefined) return query;
  return db
    .selectFrom(query.as('packed'))
    .select(({ fn }) => [
      joinTexts(sql.ref<string>('packed.row'), separator).as('row'),
      fn.countAll<number>().as('count'),
    ]);
}

export const toPackedRows = (joined: readonly JoinedRows[]): PackedRows => ({
  text: joined.map(({ row }) => row).join(separator),
  count: joined[0]?.count ?? joined.length,
});

/** The values of all rows. */
export function parsePackedRows({ text }: PackedRows): (readonly unknown[])[] {
  const json = `[${text}]`;
  const rows = JSON.parse(json) as unknown[][];
  return rows.every(hasSafeNumbers) ? rows : (JSON.parse(json, reviveExactly) as unknown[][]);
}

/** The values of a row. An integer that no number holds exactly is a `bigint`. */
export const parseJsonRow = (row: string): readonly unknown[] => withExactIntegers(JSON.parse(row) as unknown[], row);

/** The values of several rows. Parsing them together is faster, and holds all of them in memory. */
export const parseJsonRows = (rows: readonly string[]): (readonly unknown[])[] =>
  (JSON.parse(`[${rows.join()}]`) as unknown[][]).map((values, index) => withExactIntegers(values, rows[index] ?? ''));

const withExactIntegers = (values: unknown[], row: string): unknown[] =>
  hasSafeNumbers(values) ? values : (JSON.parse(row, reviveExactly) as unknown[]);

function hasSafeNumbers(values: readonly unknown[]): boolean {
  // A plain loop, since there are millions of values.
  for (let index = 0; index < values.length; index += 1) if (!isSafeNumber(values[index])) return false;
  return true;
}

// A rounded integer is never a safe one.
const isSafeNumber = (value: unknown): boolean => typeof value !== 'number' || Number.isSafeInteger(value);

const reviveExactly = (_key: string, value: unknown, context?: { readonly source?: string }): unknown =>
  isSafeNumber(value) ? value : BigInt(context?.source ?? '');
