// The condition of a join on several columns.

import { sql, type JoinBuilder } from 'kysely';
import type { Tables } from '../tables.ts';

type Column = { [T in keyof Tables]: keyof Tables[T] & string }[keyof Tables];

/** Joins the rows of two aliases that are equal in these columns. A pair is that of columns with different names. */
export const onEqual =
  (alias: string, other: string, ...columns: readonly (Column | readonly [Column, Column])[]) =>
  <D, T extends keyof D>(join: JoinBuilder<D, T>): JoinBuilder<D, T> => {
    const pairs = columns.map((column) => (typeof column === 'string' ? ([column, column] as const) : column));
    return pairs.reduce(
      (on, [own, ofOther]) => on.on(sql.ref(`${alias}.${own}`), '=', sql.ref(`${other}.${ofOther}`)),
      join,
    );
  };
