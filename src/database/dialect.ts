// What the two engines must each say in their own words. Everything else is one set of migrations and queries.

import type { CreateTableBuilder, DatabaseConnection, Dialect, Expression, RawBuilder, SqlBool } from 'kysely';
import { Kysely } from 'kysely';
import type { Failure } from './errors.ts';
import type { Prepared } from './prepared.ts';
import type { Tables } from './tables.ts';

export type Engine = 'sqlite' | 'mysql';

/** The words of one engine. */
export type Words = {
  readonly engine: Engine;
  /** Column types for migrations. */
  readonly int64: RawBuilder<unknown>;
  text(length: number): RawBuilder<unknown>;
  /** Text of unbounded length that is never indexed. */
  readonly longText: RawBuilder<unknown>;
  /** What follows a table's column list: strict typing, storage engine, collation. */
  finishTable<T extends string, C extends string>(table: CreateTableBuilder<T, C>): CreateTableBuilder<T, C>;
  /** Integer division by 2^32, truncated towards zero: the high half of a split sum. */
  highHalf(column: Expression<unknown>): RawBuilder<number>;
  /** The low half of a split sum. */
  lowHalf(column: Expression<unknown>): RawBuilder<number>;
  /** Inserts rows, adding the named columns to those of a row that has the same key. */
  upsertAdding<T extends keyof Tables>(
    db: Db,
    table: T,
    rows: readonly Tables[T][],
    key: readonly (keyof Tables[T] & string)[],
    adding: readonly (keyof Tables[T] & string)[],
  ): Promise<void>;
  /** Makes a long scan stoppable; `column` is an integer column of the row being scanned. */
  stoppable(column: Expression<number>): Expression<SqlBool>;
  classify(error: unknown): Failure;
};

/** A query builder over one connection to one tenant's database, with its engine's words at hand. */
export class Db extends Kysely<Tables> {
  readonly words: Words;
  /** What the running write transaction changed, for those who keep something in memory; told after its commit. */
  readonly touched = new Set<string>();
  /** By shape; see prepared.ts. A connection meets a few dozen shapes, whatever is asked. */
  readonly prepared = new Map<string, Prepared>();

  constructor(dialect: Dialect, words: Words) {
    super({ dialect });
    this.words = words;
  }
}

declare const writable: unique symbol;

/** The handle inside a write transaction; a function that writes asks for this one. */
export type WriteDb = Db & { readonly [writable]: true };

/** One connection of an engine, exclusively held while in use. */
export type Connection = {
  readonly db: Db;
  begin(mode: 'snapshot' | 'write'): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  /** Stops whatever the connection is doing; it is not used again. */
  cancel(): void;
};

/** Where connections come from. */
export type Pool = {
  readonly words: Words;
  acquire(mode: 'snapshot' | 'write'): Promise<Connection>;
  /** `broken` connections are thrown away. */
  release(connection: Connection, broken: boolean): void;
  close(): Promise<void>;
};

/** A Kysely dialect whose every query runs on the one connection given. */
export function pinnedDialect(
  connection: DatabaseConnection,
  parts: Pick<Dialect, 'createAdapter' | 'createQueryCompiler' | 'createIntrospector'>,
  transaction: { begin(): Promise<void>; commit(): Promise<void>; rollback(): Promise<void> },
): Dialect {
  return {
    ...parts,
    createDriver: () => ({
      init: async () => {},
      acquireConnection: async () => connection,
      beginTransaction: () => transaction.begin(),
      commitTransaction: () => transaction.commit(),
      rollbackTransaction: () => transaction.rollback(),
      releaseConnection: async () => {},
      destroy: async () => {},
    }),
  };
}
