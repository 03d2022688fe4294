// Combines several queries of the same columns into one.

import type { SelectQueryBuilder } from 'kysely';

/** The rows of all of these; there must be one. */
export function unionAll<DB, TB extends keyof DB, O>(
  parts: readonly SelectQueryBuilder<DB, TB, O>[],
): SelectQueryBuilder<DB, TB, O> {
  const [first, ...others] = parts;
  if (first === undefined) throw new RangeError('there is nothing to unite');
  return others.reduce((all, each) => all.unionAll(each), first);
}
