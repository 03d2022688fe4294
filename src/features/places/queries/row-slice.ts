// Which rows of an overview are read: a stretch of all of them in the order of their ids, or just these. Stretches are
// what everybody asks for, so their queries are prepared.

import { sql, type Compilable, type SelectQueryBuilder } from 'kysely';
import type { Db } from '../../../database/db.ts';
import { runPrepared, type BindParameter, type ParameterValues } from '../../../database/prepared-query.ts';
import type { SortDirection } from '../../../http/list-schemas.ts';

export type RowSlice =
  | { readonly direction: SortDirection; readonly offset: number; readonly limit: number }
  /** In any order, and at least one. */
  | { readonly ids: readonly number[] };

/**
 * Runs the query that `build` makes, whose values go through `at(name)` and are looked up in `values`. Without a shape it
 * is made anew each time.
 */
export function runSliceQuery<R>(
  db: Db,
  shape: string | undefined,
  values: ParameterValues,
  slice: RowSlice,
  build: (at: BindParameter) => Compilable<R> & { execute(): Promise<R[]> },
): Promise<R[]> {
  const parameterValues: ParameterValues = { ...values, ...slice };
  if ('ids' in slice || shape === undefined) return build((name) => sql`${parameterValues[name]}`).execute();
  return runPrepared(db, `${shape} ${slice.direction}`, parameterValues, build);
}

/** Cuts the slice out of a query, by the column of its ids. */
export function applySlice<D, T extends keyof D, O>(
  query: SelectQueryBuilder<D, T, O>,
  column: string,
  slice: RowSlice,
  at: BindParameter,
): SelectQueryBuilder<D, T, O> {
  const id = sql.ref<number>(column);
  if ('ids' in slice) return query.where(id, 'in', slice.ids);
  return query.orderBy(id, slice.direction).limit(at<number>('limit')).offset(at<number>('offset'));
}
