// A query built and compiled once for its shape and run with other values ever after: for the few queries where
// putting the SQL together would cost as much as running it.

import { sql, type Compilable, type RawBuilder } from 'kysely';
import type { Db } from './dialect.ts';

/** Stands in a query for a value that each run brings along. */
class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

export type Values = Readonly<Record<string, unknown>>;
export type At = <T>(name: string) => RawBuilder<T>;

/** SQL whose parameters are taken from values by name. */
export type Prepared = { readonly sql: string; readonly names: readonly string[] };

const at: At = (name) => sql`${new Slot(name)}`;

/**
 * Runs the query that `build` makes for this shape. `build` must depend on nothing but the shape: every value goes
 * through `at(name)` and is looked up in `values`.
 */
export async function runPrepared<R>(
  db: Db,
  shape: string,
  values: Values,
  build: (at: At) => Compilable<R>,
): Promise<R[]> {
  let query = db.prepared.get(shape);
  if (query === undefined) {
    query = prepare(build(at));
    db.prepared.set(shape, query);
  }
  const { rows } = await db.execute(
    query.sql,
    query.names.map((name) => values[name]),
  );
  return rows as R[];
}

function prepare(query: Compilable): Prepared {
  const { sql: text, parameters } = query.compile();
  const names = parameters.map((parameter) => {
    if (parameter instanceof Slot) return parameter.name;
    throw new Error('a prepared query holds a value of its own: use a slot or a literal');
  });
  return { sql: text, names };
}
