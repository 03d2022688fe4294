// Builds and compiles a query once per shape, and runs it with other values: for queries whose building would cost as
// much as their run.

import { sql, type Compilable, type RawBuilder } from 'kysely';
import type { Db, PreparedQuery } from '../db.ts';

/** Stands in a query for a value that each run supplies. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

export type ParameterValues = Readonly<Record<string, unknown>>;
export type BindParameter = <T>(name: string) => RawBuilder<T>;

const bindParameter: BindParameter = (name) => sql`${new Placeholder(name)}`;

/**
 * Runs the query that `build` makes for this shape. `build` must depend on nothing but the shape: every value goes
 * through `bind(name)` and is looked up in `values`.
 */
export async function runPrepared<R>(
  db: Db,
  shape: string,
  values: ParameterValues,
  build: (bind: BindParameter) => Compilable<R>,
): Promise<R[]> {
  const query = db.preparedQueries.getOrInsertComputed(shape, () => prepareQuery(build(bindParameter)));
  const { rows } = await db.execute(
    query.sql,
    query.names.map((name) => values[name]),
  );
  return rows as R[];
}

/** The first row of such a query. */
export async function findPrepared<R>(...query: Parameters<typeof runPrepared<R>>): Promise<R | undefined> {
  const [row] = await runPrepared(...query);
  return row;
}

/**
 * Builds and compiles a query that runs several times on one handle: `build` takes from `bind(name)` what differs between
 * the runs, which are given as `values`.
 */
export function compileOnce<R>(
  db: Db,
  build: (bind: BindParameter) => Compilable<R>,
): (values: ParameterValues) => Promise<R[]> {
  const { sql: text, parameters } = build(bindParameter).compile();
  return async (values) => {
    const { rows } = await db.execute(
      text,
      parameters.map((parameter) => (parameter instanceof Placeholder ? values[parameter.name] : parameter)),
    );
    return rows as R[];
  };
}

function prepareQuery(query: Compilable): PreparedQuery {
  const { sql: text, parameters } = query.compile();
  const names = parameters.map((parameter) => {
    if (parameter instanceof Placeholder) return parameter.name;
    throw new Error('a prepared query holds a value of its own: use bind() or a literal');
  });
  return { sql: text, names };
}
