// The messages between the main thread and a SQLite thread.

import type { ConnectionGroup } from '../../connection.ts';

export type SqliteWorkerSettings = { readonly file: string; readonly group: ConnectionGroup };

/**
 * A statement. One without an id is not answered: should it fail, all later ones fail, until the rollback of what it was to
 * begin, or with the end of the thread.
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
        /** The transaction could not begin, or was rolled back with it. */
        readonly endedTransaction: boolean;
        /** It had ended before, and the statement was not carried out. */
        readonly isRefused: boolean;
      };
    };
