// Reads what has been committed to a write-ahead log since a position.

import { closeSync, openSync, readSync } from 'node:fs';
import {
  beginningOf,
  endsAt,
  frameBytes,
  frameHeaderBytes,
  isSameLog,
  isSamePlace,
  offsetOfFrame,
  parseWalHeader,
  readFrames,
  walHeaderBytes,
  type WalHeader,
  type WalPlace,
} from './wal-format.ts';

/** How far a log has been read; without a header there was none. */
export type WalPosition = { readonly header: WalHeader | undefined; readonly place: WalPlace };

export type CommittedFrames = {
  /** In the log that is there now, which may have begun anew. */
  readonly from: WalPosition;
  readonly to: WalPosition;
  /** The frames between `from` and `to`, which are whole transactions. */
  readonly bytes: Buffer;
  /** Nothing more was committed when it was read. */
  readonly isAtEnd: boolean;
};

/** The log was changed in a part that had been read already, so the follower cannot follow the log any further. */
export class RewrittenLogError extends Error {
  override name = 'RewrittenLogError';
}

const scannedFrames = 256;
const maxAttempts = 100;

export const noLog: WalPosition = { header: undefined, place: { frames: 0, checksum: [0, 0] } };

type ReadInput = {
  readonly position: WalPosition;
  /** At most so many are read, but always a whole transaction. */
  readonly maxBytes: number;
  /**
   * Counts the frames of the log that are committed by now; Infinity for all that SQLite would recover from the file.
   */
  readonly countCommitted: () => number;
};

/**
 * Throws RewrittenLogError where the log no longer has what was read before. SQLite says how much of the log is
 * committed: the file alone does not tell (README.md). Reading the file takes no lock, and releases no lock.
 */
export function readCommitted(path: string, input: ReadInput): CommittedFrames {
  const file = openLog(path);
  if (file === undefined) return nothing;
  try {
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      const read = readOnce(file, input);
      if (read !== undefined) return read;
    }
    throw new RewrittenLogError('the write-ahead log is not what SQLite says of it');
  } finally {
    closeSync(file);
  }
}

const nothing: CommittedFrames = { from: noLog, to: noLog, bytes: Buffer.alloc(0), isAtEnd: true };

function openLog(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Reads once. The result is undefined where the log begins anew during the read. SQLite then writes a new header before
 * SQLite overwrites any frame, so a changed header shows that the log began anew.
 */
function readOnce(file: number, { position, maxBytes, countCommitted }: ReadInput): CommittedFrames | undefined {
  const head = readAt(file, 0, walHeaderBytes);
  const isSameHead = (): boolean => readAt(file, 0, walHeaderBytes).equals(head);
  const end = countCommitted();
  const header = parseWalHeader(head);
  // The log begins anew, and nothing is in it yet.
  if (end === 0 || (header === undefined && end === Infinity)) return nothing;
  // The count is of this log only if the log was there before it and after it.
  if (header === undefined || !isSameHead()) return undefined;
  const isSame = isSameLog(header, position.header);
  const from = isSame ? position.place : beginningOf(header);
  if (isSame && (end < from.frames || !isUnchanged(file, header, from))) {
    if (!isSameHead()) return undefined;
    throw new RewrittenLogError('the write-ahead log was changed where it was read');
  }
  const { commit, isAtEnd } = findCommit(file, header, from, { maxBytes, end });
  if (isAtEnd && end !== Infinity && commit.frames !== end) return undefined;
  const start = offsetOfFrame(header, from.frames);
  const bytes = readAt(file, start, offsetOfFrame(header, commit.frames) - start);
  const reached = [...readFrames(header, from, bytes)].at(-1)?.after ?? from;
  if (!isSamePlace(reached, commit) || !isSameHead()) return undefined;
  return { from: { header, place: from }, to: { header, place: commit }, bytes, isAtEnd };
}

function isUnchanged(file: number, header: WalHeader, place: WalPlace): boolean {
  if (place.frames === 0) return true;
  return endsAt(header, place, readAt(file, offsetOfFrame(header, place.frames - 1), frameHeaderBytes));
}

/** The last commit within `maxBytes`, or the first one beyond, of so many frames of the log. */
function findCommit(
  file: number,
  header: WalHeader,
  from: WalPlace,
  { maxBytes, end }: { readonly maxBytes: number; readonly end: number },
): { readonly commit: WalPlace; readonly isAtEnd: boolean } {
  const size = frameBytes(header);
  const maxFrames = from.frames + Math.max(1, Math.floor(maxBytes / size));
  let [place, commit] = [from, from];
  for (;;) {
    const wanted = Math.min(scannedFrames, end - place.frames);
    const bytes = readAt(file, offsetOfFrame(header, place.frames), wanted * size);
    let count = 0;
    for (const { pagesAfterCommit, after } of readFrames(header, place, bytes)) {
      count += 1;
      place = after;
      if (pagesAfterCommit === 0) continue;
      if (commit.frames > from.frames && after.frames > maxFrames) return { commit, isAtEnd: false };
      commit = after;
    }
    if (count < scannedFrames) return { commit, isAtEnd: true };
  }
}

function readAt(file: number, offset: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const count = readSync(file, bytes, filled, length - filled, offset + filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}
