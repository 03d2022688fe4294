// A SQLite connection: transactions over a thread.

import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, type LimitNode, type OffsetNode } from 'kysely';
import type { Connection, ConnectionGroup, TransactionMode } from '../../connection.ts';
import { NotCommittedError } from '../../errors.ts';
import { createTransactionHandleFactory, executeOnce } from '../../transaction-handle.ts';
import type { SqliteWorkerSettings } from './protocol.ts';
import { isFailedLogWrite, sqliteDialect } from './sqlite-dialect.ts';
import { SqliteError } from './sqlite-errors.ts';
import { StatementChannel } from './statement-channel.ts';

/**
 * SQLite looks at the value of a bare `limit ?` when it plans, and therefore plans the statement anew each time it is
 * bound. An expression's value is nothing that it looks at.
 */
class ReusablePlanQueryCompiler extends SqliteQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    super.visitLimit(node);
    this.append(' + 0');
  }

  protected override visitOffset(node: OffsetNode): void {
    super.visitOffset(node);
    this.append(' + 0');
  }
}

export type SqliteConnection = Connection & {
  readonly group: ConnectionGroup;
  /** The thread has ended, or is ending, and answers no further statements. */
  hasEnded(): boolean;
  /** The thread has, or had, the file open. */
  isOpen(): boolean;
  /** Resolves when the thread has opened the file, or has failed to. */
  readonly opened: Promise<void>;
  /** Resolves when the thread is gone, and with it its hold on the file. */
  readonly exited: Promise<void>;
  /** Ends the thread after the statements that were sent. */
  close(): void;
};

/** Each attempt waits as long as the thread's busy timeout, five seconds. */
const maxMigrationBeginAttempts = 12;

const kyselyFactories = {
  createAdapter: () => new SqliteAdapter(),
  createQueryCompiler: () => new ReusablePlanQueryCompiler(),
  createIntrospector: (db: ConstructorParameters<typeof SqliteIntrospector>[0]) => new SqliteIntrospector(db),
};

export function openSqliteConnection(settings: SqliteWorkerSettings): SqliteConnection {
  const channel = new StatementChannel(settings);
  const createHandle = createTransactionHandleFactory(kyselyFactories, sqliteDialect);
  let mode: TransactionMode = 'snapshot';
  return {
    group: settings.group,
    begin: async (begunMode) => {
      channel.beginTransaction();
      mode = begunMode;
      if (mode === 'statement') return createHandle(executeOnce(channel.execute));
      // Sent together with the first statements, which fail with its error.
      channel.postCommand(mode === 'snapshot' ? 'begin' : 'begin immediate');
      return createHandle(channel.execute);
    },
    aborted: () => channel.aborted,
    commit: async () => {
      if (mode === 'snapshot') channel.postDeferredCommand('commit');
      else if (mode === 'write') await commitOrRollBack(channel);
    },
    rollback: () => channel.executeCommand('rollback'),
    runMigrations: async (work) => {
      // One transaction for all: a migration that fails leaves nothing, and of several processes one migrates.
      await retryBegin(() => channel.executeCommand('begin immediate'));
      const handle = createHandle(channel.execute);
      try {
        const result = await work(handle.db);
        await channel.executeCommand('commit');
        return result;
      } catch (error) {
        await channel.executeCommand('rollback');
        throw error;
      } finally {
        handle.close();
      }
    },
    cancel: () => channel.cancel(),
    hasEnded: () => channel.hasEnded,
    isOpen: () => channel.isOpen,
    opened: channel.opened,
    exited: channel.exited,
    close: () => channel.close(),
  };
}

/**
 * If there was no transaction any more, or no space for its COMMIT, a rollback proves that nothing was stored. SQLite ends
 * the transaction after any failure of the COMMIT itself, which alone proves nothing.
 */
async function commitOrRollBack(channel: StatementChannel): Promise<void> {
  try {
    await channel.executeCommand('commit');
  } catch (error) {
    const isRefused = error instanceof SqliteError && error.isRefused;
    if (!isRefused && !isFailedLogWrite(error)) throw error;
    await channel.executeCommand('rollback');
    throw new NotCommittedError(error);
  }
}

/** Waits for another process that migrates, however long its busy timeouts are. */
async function retryBegin(begin: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await begin();
      return;
    } catch (error) {
      if (attempt === maxMigrationBeginAttempts || sqliteDialect.classifyError(error) !== 'rolled-back') throw error;
    }
  }
}
