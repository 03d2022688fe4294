// What an engine offers: connections that run transactions, and the pool that lends them.

import type { Db, SqlDialect } from './db.ts';

/** `statement` is a read of a single statement: it sees one moment by itself, and needs no transaction. */
export type TransactionMode = 'snapshot' | 'statement' | 'write';

/** The connections that a transaction takes one of. Downloads have some of their own, so that no other read waits for them. */
export type ConnectionGroup = 'read' | 'download' | 'write';

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
  /** Throws NotCommittedError where it is proven that nothing was stored. After any other error the outcome is unknown. */
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
  acquire(group: ConnectionGroup): Promise<Connection>;
  /** `broken` connections are thrown away. */
  release(connection: Connection, broken: boolean): void;
  /** Lets finish what runs, refuses what waits and what comes. */
  close(): Promise<void>;
};
