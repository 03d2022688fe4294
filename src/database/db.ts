// What the two engines must each say in their own words. Everything else is one set of migrations and queries.

import type {
  CompiledQuery,
  CreateTableBuilder,
  DatabaseConnection,
  Dialect,
  Driver,
  Expression,
  KyselyProps,
  QueryResult,
  RawBuilder,
  SqlBool,
} from 'kysely';
import { DefaultQueryExecutor, Kysely } from 'kysely';
import type { StorageFailure } from './errors.ts';
import type { PreparedQuery } from './prepared-query.ts';
import type { Tables } from './tables.ts';

export type Engine = 'sqlite' | 'mysql';

/** By which columns a row is the same, and what becomes of the others where there is one. */
export type UpsertColumns<C extends string> = {
  readonly key: readonly C[];
  readonly sum: readonly C[];
  readonly min?: readonly C[];
  readonly max?: readonly C[];
};

/** The words of one engine. */
export type SqlDialect = {
  readonly engine: Engine;
  /** Column types for migrations. */
  readonly int64: RawBuilder<unknown>;
  text(length: number): RawBuilder<unknown>;
  /** Text of unbounded length that is never indexed. */
  readonly longText: RawBuilder<unknown>;
  /** What follows a table's column list: strict typing, storage engine, collation. */
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
  /** Whether an integer is one of these, however many they are; there must be one. */
  inList(value: Expression<number>, ids: readonly (number | bigint)[]): Expression<SqlBool>;
  /** Makes a long scan stoppable; `column` is an integer column of the row being scanned. */
  interruptCheck(column: Expression<number>): Expression<SqlBool>;
  classifyError(error: unknown): StorageFailure;
  /** Settings of the server under which a committed write could be lost or bent; empty where all is well. */
  listUnsafeSettings(db: Db): Promise<string[]>;
};

/** A query builder over one transaction on one tenant's database, with its engine's words at hand. */
export class Db extends Kysely<Tables> {
  readonly dialect: SqlDialect;
  /** What the running write transaction changed, for those who keep something in memory; told after its commit. */
  readonly changedTopics = new Set<string>();
  /** By shape; see prepared.ts. A connection meets a few dozen shapes, whatever is asked. */
  readonly preparedQueries: Map<string, PreparedQuery>;
  /** Runs SQL as it stands, with nothing between. */
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

export type TransactionMode = 'snapshot' | 'write';

/** The way to the database for as long as a transaction runs. */
export type TransactionHandle = {
  readonly db: Db;
  /** What still runs of the transaction's work is refused from here on, so that it cannot stray into the next one. */
  close(): void;
};

/** One connection of an engine, exclusively held while in use. */
export type Connection = {
  begin(mode: TransactionMode): Promise<TransactionHandle>;
  /** The error with which the engine gave up the transaction by itself: a COMMIT would answer OK and store nothing. */
  aborted(): unknown;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  /** Runs migrations, in one transaction where the engine has such; they may take their time. */
  runMigrations<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Stops whatever the connection is doing; it is not used again. */
  cancel(): void;
};

/** Where connections come from. */
export type Pool = {
  readonly dialect: SqlDialect;
  acquire(mode: TransactionMode): Promise<Connection>;
  /** `broken` connections are thrown away. */
  release(connection: Connection, broken: boolean): void;
  /** Lets finish what runs, refuses what waits and what comes. */
  close(): Promise<void>;
};

export type ExecuteSql = (sql: string, parameters: readonly unknown[]) => Promise<QueryResult<unknown>>;

type KyselyFactories = Pick<Dialect, 'createAdapter' | 'createQueryCompiler' | 'createIntrospector'>;

/** Makes the handles of one connection; those things that they have in common are made once. */
export function createTransactionHandleFactory(
  factories: KyselyFactories,
  dialect: SqlDialect,
): (execute: ExecuteSql) => TransactionHandle {
  const kyselyDialect: Dialect = { ...factories, createDriver: () => unusedDriver };
  const compiler = factories.createQueryCompiler();
  const adapter = factories.createAdapter();
  const prepared = new Map<string, PreparedQuery>();
  return (execute) => {
    let closed = false;
    const executeOpen: ExecuteSql = (sql, parameters) =>
      closed ? Promise.reject(new Error('the transaction of this handle has ended')) : execute(sql, parameters);
    const connection = createDatabaseConnection(executeOpen);
    const executor = new DefaultQueryExecutor(compiler, adapter, { provideConnection: (use) => use(connection) });
    return {
      db: new Db(
        { config: { dialect: kyselyDialect }, dialect: kyselyDialect, driver: unusedDriver, executor },
        { dialect, preparedQueries: prepared, execute: executeOpen },
      ),
      close: () => {
        closed = true;
      },
    };
  };
}

function createDatabaseConnection(execute: ExecuteSql): DatabaseConnection {
  return {
    executeQuery: <R>({ sql, parameters }: CompiledQuery) => execute(sql, parameters) as Promise<QueryResult<R>>,
    streamQuery: () => {
      throw new Error('streaming is not offered: page instead');
    },
  };
}

const rejectNestedTransaction = (): Promise<never> => Promise.reject(new Error('a transaction is already under way'));

/** A handle has its connection, and the transaction that was begun for it. */
const unusedDriver: Driver = {
  init: async () => {},
  acquireConnection: rejectNestedTransaction,
  beginTransaction: rejectNestedTransaction,
  commitTransaction: rejectNestedTransaction,
  rollbackTransaction: rejectNestedTransaction,
  releaseConnection: async () => {},
  destroy: async () => {},
};
