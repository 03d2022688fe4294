// Follows the write-ahead log of a SQLite file that others write. A read transaction is always open, so that SQLite
// cannot overwrite a part of the log that was not read yet.

import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { readCommitted, type CommittedFrames, type WalPosition } from './read-committed.ts';

/** How long writers are waited for. They wait for a lock much longer themselves. */
const busyTimeoutMs = 500;
const pieceBytes = 1_048_576;
const maxCounts = 1000;

const sqliteBusy = 5;

/** The file cannot be followed as it is: the end of a sentence that begins with its name. */
export class UnfollowedFileError extends Error {
  override name = 'UnfollowedFileError';
}

class Hold {
  readonly #database: DatabaseSync;
  #isHeld = false;

  constructor(path: string) {
    this.#database = new DatabaseSync(path, { readOnly: true, timeout: busyTimeoutMs });
  }

  begin(): void {
    this.#database.exec('begin');
    try {
      // The transaction begins with the first read.
      this.#database.exec('select count(*) from sqlite_schema');
      this.#isHeld = true;
    } catch (error) {
      this.#database.exec('rollback');
      throw error;
    }
  }

  end(): void {
    if (this.#isHeld) this.#database.exec('rollback');
    this.#isHeld = false;
  }

  close(): void {
    this.#database.close();
  }
}

/** A copy of the file in the making. */
type FileCopy = { readonly pieces: AsyncIterable<Buffer>; end(): void };

/**
 * A read transaction is always open, so that the log cannot begin anew before all of the log was read:
 * - SQLite begins a log anew only when the file contains all of the log, and nobody reads from the log.
 * - The next read transaction opens before the last read transaction ends (`advance`). If the file contains all of the
 *   log by then, the next read transaction reads from the file alone. That transaction then keeps all other connections
 *   from moving more of the log to the file. So the log can begin anew once at most, and only if nothing was appended
 *   to what the file contains.
 *
 * Whatever is read to the end of the log after a transaction has begun is therefore complete, whether the log begins
 * anew or not.
 *
 * The file stays open for as long as the connections are open: closing the file would give up the locks of this
 * process.
 */
export class FollowedFile {
  readonly #path: string;
  readonly #file: number;
  readonly #identity: string | undefined;
  #current: Hold;
  #next: Hold;
  readonly #checkpointer: DatabaseSync;
  readonly #writer: DatabaseSync;
  readonly #counting: StatementSync;
  readonly #copies = new Set<Hold>();

  /** From now on nothing of the log is lost, unless `close` is called. Throws UnfollowedFileError where it has no log. */
  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, 'r');
    this.#identity = identityOf(path);
    const opened: { close(): void }[] = [];
    const open = <T extends { close(): void }>(connection: T): T => {
      opened.unshift(connection);
      return connection;
    };
    try {
      this.#current = open(new Hold(path));
      this.#next = open(new Hold(path));
      this.#checkpointer = open(new DatabaseSync(path, { timeout: 0 }));
      this.#writer = open(new DatabaseSync(path, { timeout: busyTimeoutMs }));
      const { journal_mode: mode } = this.#checkpointer.prepare('pragma journal_mode').get() as {
        readonly journal_mode: string;
      };
      if (mode !== 'wal') throw new UnfollowedFileError('has no write-ahead log yet');
      this.#counting = this.#checkpointer.prepare('pragma wal_checkpoint(noop)');
      this.#current.begin();
    } catch (error) {
      for (const connection of opened) connection.close();
      closeSync(this.#file);
      throw error;
    }
  }

  /** Throws RewrittenLogError where the log no longer has what was read before. */
  read(position: WalPosition, maxBytes: number): CommittedFrames {
    return readCommitted(`${this.#path}-wal`, { position, maxBytes, countCommitted: () => this.#countCommitted() });
  }

  /** SQLite counts the frames that are committed, and moves none of them. It is busy while another process commits. */
  #countCommitted(): number {
    for (let attempt = 1; attempt <= maxCounts; attempt += 1) {
      const { busy, log } = this.#counting.get() as { readonly busy: number; readonly log: number };
      if (busy === 0 && log >= 0) return log;
    }
    throw new UnfollowedFileError('has a log that is being changed all the time');
  }

  /** Or removed. */
  isReplaced(): boolean {
    return identityOf(this.#path) !== this.#identity;
  }

  /** Lets go of what was read before, if `readToEnd` reads the log to its end. */
  async advance<T>(readToEnd: () => Promise<T>): Promise<T> {
    this.#next.begin();
    try {
      const result = await readToEnd();
      [this.#current, this.#next] = [this.#next, this.#current];
      return result;
    } finally {
      this.#next.end();
    }
  }

  /** Moves what was read from the log to the file, which keeps no one waiting. */
  checkpoint(): void {
    try {
      this.#checkpointer.exec('pragma wal_checkpoint(passive)');
    } catch (error) {
      // Somebody else does it.
      if (!isBusy(error)) throw error;
    }
  }

  /**
   * Lets the log begin anew with the next write, while nobody can write: `readToEnd` must read the rest of the log, and is
   * quick. If it returns false, or others write for too long, nothing changes, and it returns false.
   */
  handOver(readToEnd: () => boolean): boolean {
    try {
      this.#writer.exec('begin immediate');
    } catch (error) {
      if (isBusy(error)) return false;
      throw error;
    }
    try {
      if (!readToEnd()) return false;
      this.#current.end();
      try {
        this.checkpoint();
      } finally {
        this.#current.begin();
      }
      return true;
    } finally {
      this.#writer.exec('rollback');
    }
  }

  /**
   * Copies the file. With all of the log after it, as it was read from its last beginning, the copy is the database: what
   * is moved from the log to the file meanwhile is in the log as well.
   */
  beginCopy(): FileCopy {
    const hold = new Hold(this.#path);
    this.#copies.add(hold);
    const end = (): void => {
      if (!this.#copies.delete(hold)) return;
      hold.end();
      hold.close();
    };
    try {
      hold.begin();
    } catch (error) {
      end();
      throw error;
    }
    return { pieces: this.#readPieces(hold), end };
  }

  /** One piece after the other, so that nothing is being read when the file is closed. */
  async *#readPieces(hold: Hold): AsyncGenerator<Buffer, void> {
    for (let index = 0; ;) {
      if (!this.#copies.has(hold)) throw new UnfollowedFileError('was closed while it was copied');
      const piece = Buffer.allocUnsafe(pieceBytes);
      const count = readSync(this.#file, piece, 0, pieceBytes, index);
      if (count === 0) return;
      yield piece.subarray(0, count);
      index += count;
    }
  }

  /** The last to close are those that cannot write, and leave the log as it is. */
  close(): void {
    for (const connection of [this.#writer, this.#checkpointer, ...this.#copies, this.#next, this.#current])
      connection.close();
    this.#copies.clear();
    closeSync(this.#file);
  }
}

function identityOf(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && `${stats.dev}/${stats.ino}`;
}

const isBusy = (error: unknown): boolean =>
  ((error as { readonly errcode?: number }).errcode ?? 0) % 256 === sqliteBusy;
