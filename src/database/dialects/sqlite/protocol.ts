// The messages between the main thread and a SQLite thread.

import type { ConnectionGroup } from '../../connection.ts';

export type SqliteWorkerSettings = { readonly file: string; readonly group: ConnectionGroup };

/**
 * A statement for the SQLite thread. The thread sends no answer to a statement without an id. If such a statement fails
 * and should have begun a transaction, all later statements fail until the rollback of this transaction. If any other
 * statement without an id fails, the thread ends.
 */
export type StatementRequest = {
  readonly id: number | undefined;
  readonly sql: string;
  readonly parameters: readonly unknown[];
};

/** Statements and answers cross in batches: waking the other thread costs more than most statements do. */
export type StatementBatch = readonly StatementRequest[];

export type StatementAnswer =
  | { readonly id: number; readonly columns: string[]; readonly rows: unknown[][]; readonly changes: number }
  | {
      readonly id: number;
      readonly error: {
        readonly message: string;
        readonly errcode: number | undefined;
        /** The transaction could not begin, or SQLite rolled the transaction back because of this error. */
        readonly endedTransaction: boolean;
        /** The transaction had ended before this statement, and the thread did not carry out the statement. */
        readonly isRefused: boolean;
      };
    };
