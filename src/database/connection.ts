// What an engine offers: connections that run transactions, and the pool that lends them.

import type { Db, SqlDialect } from './db.ts';

/** `statement` is a read of a single statement, which is consistent without a transaction. */
export type TransactionMode = 'snapshot' | 'statement' | 'write';

/** The group of connections that a transaction takes one from. Downloads have their own, so that no other read waits for them. */
export type ConnectionGroup = 'read' | 'download' | 'write';

/** Access to the database while a transaction runs. */
export type TransactionHandle = {
  readonly db: Db;
  /** Refuses later statements of the transaction's work, so that none of them runs in the next transaction. */
  close(): void;
};

/** One connection of an engine. It has one user at a time. */
export type Connection = {
  begin(mode: TransactionMode): Promise<TransactionHandle>;
  /** The error with which the engine gave up the transaction by itself: a COMMIT would answer OK and store nothing. */
  aborted(): unknown;
  /** Throws NotCommittedError where it is proven that nothing was stored. After any other error the outcome is unknown. */
  commit(): Promise<void>;
  rollback(): Promise<void>;
  /** Runs migrations without a deadline, in one transaction where the engine can roll back changes of tables. */
  runMigrations<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Stops whatever the connection is doing; it is not used again. */
  cancel(): void;
};

/** A pool gives connections, and takes them back. */
export type Pool = {
  readonly dialect: SqlDialect;
  acquire(group: ConnectionGroup): Promise<Connection>;
  /** `broken` connections are thrown away. */
  release(connection: Connection, broken: boolean): void;
  /** Lets running transactions finish, and refuses those that wait and all later ones. */
  close(): Promise<void>;
};
