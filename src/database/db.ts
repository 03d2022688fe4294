// The handle of a transaction, and what differs between the two engines. Everything else is the same for both.

import type { CreateTableBuilder, Expression, KyselyProps, QueryResult, RawBuilder, SqlBool } from 'kysely';
import { Kysely } from 'kysely';
import type { StorageFailure } from './errors.ts';
import type { Tables } from './tables.ts';

export type Engine = 'sqlite' | 'mysql';

/** The columns of the key, and how the other columns of an existing row change. */
export type UpsertColumns<C extends string> = {
  readonly key: readonly C[];
  readonly sum: readonly C[];
  readonly min?: readonly C[];
  readonly max?: readonly C[];
};

/** A column of a table, and its place in the primary key from 1; 0 if it is not part of it. */
export type ColumnPlace = { readonly table: string; readonly column: string; readonly keyPlace: number };

/** What differs between the engines. */
export type SqlDialect = {
  readonly engine: Engine;
  /** Column types for migrations. */
  readonly int64: RawBuilder<unknown>;
  text(length: number): RawBuilder<unknown>;
  /** Text of unbounded length that is never indexed. */
  readonly longText: RawBuilder<unknown>;
  /** SQL after a table's list of columns: strict typing, storage engine, collation. */
  withTableOptions<T extends string, C extends string>(table: CreateTableBuilder<T, C>): CreateTableBuilder<T, C>;
  /** Integer division by 2^32, truncated towards zero: the high half of a split sum. */
  highHalf(column: Expression<unknown>): RawBuilder<number>;
  /** The low half of a split sum. */
  lowHalf(column: Expression<unknown>): RawBuilder<number>;
  /** Inserts rows, each merged into the one that has its key. */
  upsertRows<T extends keyof Tables>(
    db: Db,
    table: T,
    rows: readonly Tables[T][],
    merging: UpsertColumns<keyof Tables[T] & string>,
  ): Promise<void>;
  /** Whether a text is a positive decimal integer: only digits, the first one not zero. */
  isPositiveInteger(text: Expression<unknown>): Expression<SqlBool>;
  /** How many Unicode code points a text has. */
  characterLength(column: Expression<unknown>): RawBuilder<number>;
  /** The values of all rows as one JSON text, an array in no order; null or empty if there is no row. */
  aggregateJson(value: Expression<unknown>): RawBuilder<string | null>;
  /**
   * The texts of all rows in one, in the order of the query that they are selected from; null if there is no row.
   * Undefined where the engine cuts off what is too long.
   */
  readonly joinTexts: ((text: Expression<string>, separator: string) => RawBuilder<string | null>) | undefined;
  /** The ids of a JSON array as a table: `id`, and `place`, by which they are in its order. */
  listedIds(ids: Expression<string>): RawBuilder<{ readonly id: number; readonly place: number }>;
  /** Whether an integer is one of these, however many they are; there must be one. */
  inList(value: Expression<number>, ids: readonly (number | bigint)[]): Expression<SqlBool>;
  /** Follows the name of a table whose rows are found by this index, where statistics could make the engine avoid it. */
  byIndex(index: string): RawBuilder<unknown>;
  /** Makes a long scan stoppable; `column` is an integer column of the row being scanned. */
  interruptCheck(column: Expression<number>): Expression<SqlBool>;
  /** Whether the database has a table of this name. */
  hasTable(db: Db, name: string): Promise<boolean>;
  /** The columns of every table, each table's in their order. */
  listColumns(db: Db): Promise<ColumnPlace[]>;
  /** Whether a row comes after this key in the order of these columns. An index of them leads to the first such row. */
  isAfterKey(columns: readonly string[], key: readonly unknown[]): Expression<SqlBool>;
  classifyError(error: unknown): StorageFailure;
  /** Settings of the server under which a committed write could be lost or changed; empty if all are safe. */
  listUnsafeSettings(db: Db): Promise<string[]>;
};

/** SQL whose parameters are taken from values by name. */
export type PreparedQuery = { readonly sql: string; readonly names: readonly string[] };

export type ExecuteSql = (sql: string, parameters: readonly unknown[]) => Promise<QueryResult<unknown>>;

export type HeldLock = { readonly name: string; readonly ids: readonly number[] };

/** A query builder over one transaction on one tenant's database. */
export class Db extends Kysely<Tables> {
  readonly dialect: SqlDialect;
  /** Topics that the write transaction changed. Caches are notified of them after the commit. */
  readonly changedTopics = new Set<string>();
  /** The locks of the write transaction, in the order of their table (locks.ts). */
  readonly heldLocks: HeldLock[] = [];
  /** By shape (prepared-query.ts). A connection sees a few dozen shapes. */
  readonly preparedQueries: Map<string, PreparedQuery>;
  /** Runs SQL directly, without the query builder. */
  readonly execute: ExecuteSql;

  constructor(
    props: KyselyProps,
    { dialect, preparedQueries, execute }: Pick<Db, 'dialect' | 'preparedQueries' | 'execute'>,
  ) {
    super(props);
    this.dialect = dialect;
    this.preparedQueries = preparedQueries;
    this.execute = execute;
  }
}

declare const writable: unique symbol;

/** The handle inside a write transaction; a function that writes asks for this one. */
export type WriteDb = Db & { readonly [writable]: true };

declare const lockable: unique symbol;

/** The handle of work that takes its locks itself. The operations of managers declare theirs instead. */
export type LockableDb = WriteDb & { readonly [lockable]: true };
