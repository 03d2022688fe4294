// Says which rows of an overview are read: a slice of all of them by id, or the rows of some ids. Slices are read most,
// so that their queries are prepared.

import { sql, type Compilable, type SelectQueryBuilder } from 'kysely';
import type { Db } from '../../../database/db.ts';
import { runPrepared, type BindParameter, type ParameterValues } from '../../../database/prepared-query.ts';
import type { SortDirection } from '../../../http/list-schemas.ts';

export type RowSlice =
  | { readonly direction: SortDirection; readonly offset: number; readonly limit: number }
  /** In any order, and at least one. */
  | { readonly ids: readonly number[] };

type SliceQuery = {
  /** The prepared query of this shape is used again; undefined where the query differs from call to call. */
  readonly shape: string | undefined;
  readonly values: ParameterValues;
  readonly slice: RowSlice;
};

/** Runs the query that `build` makes. It binds its values by name; they are taken from `values` and the slice. */
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
