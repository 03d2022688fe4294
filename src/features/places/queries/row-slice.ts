// Selects the rows of an overview: a slice in the order of ids, or the rows with given ids. Slices are the most
// frequent reads, so their queries are prepared.

import { sql, type Compilable, type SelectQueryBuilder } from 'kysely';
import type { Db } from '../../../database/db.ts';
import { runPrepared, type BindParameter, type ParameterValues } from '../../../database/prepared-query.ts';
import type { SortDirection } from '../../../http/schemas/list-schemas.ts';

export type RowSlice =
  | { readonly direction: SortDirection; readonly offset: number; readonly limit: number }
  /** In any order, and at least one. */
  | { readonly ids: readonly number[] };

type SliceQuery = {
  /** The prepared query of a shape is reused; undefined where the query differs from call to call. */
  readonly shape: string | undefined;
  readonly values: ParameterValues;
  readonly slice: RowSlice;
};

/** Runs the query that `build` returns. The query binds its values by name, from `values` and the slice. */
export function runSliceQuery<R>(
  db: Db,
  { shape, values, slice }: SliceQuery,
  build: (bind: BindParameter) => Compilable<R> & { execute(): Promise<R[]> },
): Promise<R[]> {
  const parameterValues: ParameterValues = { ...values, ...slice };
  if ('ids' in slice || shape === undefined) return build((name) => sql`${parameterValues[name]}`).execute();
  return runPrepared(db, `${shape} ${slice.direction}`, parameterValues, build);
}

/** Restricts a query to the slice; `column` holds the ids. */
export function applySlice<D, T extends keyof D, O>(
  query: SelectQueryBuilder<D, T, O>,
  column: string,
  slice: RowSlice,
  bind: BindParameter,
): SelectQueryBuilder<D, T, O> {
  const id = sql.ref<number>(column);
  if ('ids' in slice) return query.where(id, 'in', slice.ids);
  return query.orderBy(id, slice.direction).limit(bind<number>('limit')).offset(bind<number>('offset'));
}
