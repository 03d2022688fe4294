// Inserts many rows, in chunks that keep below the engines' limits of parameters. The SQL is built as text, since a
// query builder's node for every parameter costs more than the insert.

import { sql, type RawBuilder } from 'kysely';
import type { Db, UpsertColumns } from '../db.ts';
import type { Tables } from '../tables.ts';

// Larger statements are no faster, and take more memory in the thread that runs them.
const maxParameters = 4000;

/** SQL for a row whose key exists already. It depends only on the shape. */
type OnDuplicate = { readonly shape: string; build(): RawBuilder<unknown> };

type Verb = 'insert' | 'replace';
type Clauses = { readonly into: string; readonly duplicate: string; fullChunk?: string };

/** By engine, verb, table, columns and shape: as many as there are calls in the code. */
const knownClauses = new Map<string, Clauses>();

type RowsClause = { readonly verb: Verb; readonly table: string; readonly onDuplicate?: OnDuplicate | undefined };

function clausesOf(db: Db, { verb, table, onDuplicate }: RowsClause, columns: readonly string[]): Clauses {
  const key = [db.dialect.engine, verb, table, columns.join(), onDuplicate?.shape].join(' ');
  return knownClauses.getOrInsertComputed(key, () => {
    const names = sql.join(columns.map((column) => sql.ref(column)));
    return {
      into: sql`${sql.raw(verb)} into ${sql.table(table)} (${names}) values `.compile(db).sql,
      duplicate: (onDuplicate?.build() ?? sql``).compile(db).sql,
    };
  });
}

/** Inserts the rows, in chunks. All rows have the columns of the first. */
export const insertRows = <T extends keyof Tables>(
  db: Db,
  table: T,
  rows: Iterable<Tables[T]>,
  onDuplicate?: OnDuplicate,
): Promise<void> => sendRows(db, { verb: 'insert', table, onDuplicate }, rows);

/** Inserts rows that take the places of those with their keys. */
export const replaceRows = <T extends keyof Tables>(db: Db, table: T, rows: readonly Tables[T][]): Promise<void> =>
  sendRows(db, { verb: 'replace', table }, rows);

/**
 * How the columns of a row change that has the key already. `both` are the stored value and the new one, in the spelling of
 * the engine, as are the functions that choose between them.
 */
export const mergeColumns = (
  { sum, min = [], max = [] }: Omit<UpsertColumns<string>, 'key'>,
  both: (column: string) => RawBuilder<unknown>[],
  names: { readonly min: string; readonly max: string },
): RawBuilder<unknown> => {
  const choose = (name: string) => (column: string) =>
    sql`${sql.ref(column)} = ${sql.raw(name)}(${sql.join(both(column))})`;
  return sql.join([
    ...sum.map((column) => sql`${sql.ref(column)} = ${sql.join(both(column), sql` + `)}`),
    ...min.map(choose(names.min)),
    ...max.map(choose(names.max)),
  ]);
};

type Row = Readonly<Record<string, unknown>>;

/**
 * The engine gets the next chunk before it has ended one, so that neither waits for the other. What makes rows as they are
 * needed works meanwhile.
 */
async function sendRows(db: Db, clause: RowsClause, rows: Iterable<Row>): Promise<void> {
  const iterator = rows[Symbol.iterator]();
  const first = iterator.next();
  if (first.done === true) return;
  const columns = Object.keys(first.value);
  const clauses = clausesOf(db, clause, columns);
  const rowPlaceholders = `(${columns.map(() => '?').join(', ')})`;
  const formatText = (count: number): string =>
    `${clauses.into}${Array.from({ length: count }, () => rowPlaceholders).join(', ')} ${clauses.duplicate}`;
  const rowsPerChunk = Math.max(1, Math.floor(maxParameters / Math.max(1, columns.length)));
  const textOf = (count: number): string =>
    count === rowsPerChunk ? (clauses.fullChunk ??= formatText(count)) : formatText(count);
  let sent: Promise<unknown> | undefined;
  let chunk = takeRows(iterator, rowsPerChunk, [first.value]);
  while (chunk.length > 0) {
    const next = db.execute(textOf(chunk.length), listValues(chunk, columns));
    // It is awaited below, unless the chunk before it has failed.
    next.catch(() => {});
    await sent;
    sent = next;
    chunk = takeRows(iterator, rowsPerChunk);
  }
  await sent;
}

/** The next rows, up to this number with those given. */
function takeRows(iterator: Iterator<Row>, count: number, taken: Row[] = []): Row[] {
  while (taken.length < count) {
    const next = iterator.next();
    if (next.done === true) break;
    taken.push(next.value);
  }
  return taken;
}

function listValues(rows: readonly Row[], columns: readonly string[]): unknown[] {
  const values: unknown[] = [];
  for (const row of rows) for (const column of columns) values.push(row[column]);
  return values;
}
