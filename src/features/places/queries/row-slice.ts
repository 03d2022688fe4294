// Selects the rows of an overview: a slice in the order of ids, or the rows with given ids. Slices are the most
// frequent reads, so their queries are prepared.

import { sql, type Compilable, type SelectQueryBuilder } from 'kysely';
import type { Db } from '../../../database/db.ts';
import { runPrepared, type BindParameter, type ParameterValues } from '../../../database/statements/prepared-query.ts';
import type { PageSlice } from '../../../lib/values/paging.ts';
import type { SortDirection } from '../../../http/schemas/list-schemas.ts';

/** The id of the last row of a page. */
type IdPosition = readonly [id: number];

export type RowSlice =
  | (PageSlice<IdPosition> & { readonly direction: SortDirection })
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
  const [lastId] = 'ids' in slice ? [] : (slice.after ?? []);
  const parameterValues: ParameterValues = { ...values, ...slice, lastId };
  if ('ids' in slice || shape === undefined) return build((name) => sql`${parameterValues[name]}`).execute();
  return runPrepared(
    db,
    `${shape} ${slice.direction} ${slice.after === undefined ? '' : 'after'}`,
    parameterValues,
    build,
  );
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
  const { direction, after } = slice;
  return query
    .$if(after !== undefined, (rest) => rest.where(id, direction === 'asc' ? '>' : '<', bind<number>('lastId')))
    .orderBy(id, direction)
    .limit(bind<number>('limit'))
    .offset(bind<number>('offset'));
}
