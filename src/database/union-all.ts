// Combines several selections into one query. Each keeps its own limit, which both engines allow in derived tables
// only.

import type { SelectQueryBuilder } from 'kysely';
import type { Db } from './db.ts';
import type { Tables } from './tables.ts';

/** The rows of all of these; there must be one. */
export function unionAll<T extends keyof Tables, O>(db: Db, selections: readonly SelectQueryBuilder<Tables, T, O>[]) {
  const [first, ...others] = selections.map((selection) => db.selectFrom(selection.as('part')).selectAll());
  if (first === undefined) throw new RangeError('nothing to unite');
  return others.reduce((all, each) => all.unionAll(each), first);
}
