// Reads what has been committed to a write-ahead log since a place. Reading the file of the log takes no lock, and gives none
// up.

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
import { isIndexOf, type CommittedLog } from './wal-index.ts';

/** How far a log has been read; without a header there was none. */
export type WalPosition = { readonly header: WalHeader | undefined; readonly place: WalPlace };

export type CommittedFrames = {
  /** In the log that is there now, which may have begun anew. */
  readonly from: WalPosition;
  readonly to: WalPosition;
  /** Of the frames between both: whole transactions. */
  readonly bytes: Buffer;
  /** Nothing more was committed when it was read. */
  readonly isAtEnd: boolean;
};

/** The log was changed where it had been read already: it can be followed no further. */
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
  /** How much is committed by now; undefined for all that SQLite would recover from the file. */
  readonly readIndex: () => CommittedLog | undefined;
};

/** Throws RewrittenLogError where the log no longer has what was read before. */
export function readCommitted(path: string, input: ReadInput): CommittedFrames {
  const file = openLog(path);
  if (file === undefined) return nothing;
  try {
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      const read = readOnce(file, input);
      if (read !== undefined) return read;
    }
    throw new RewrittenLogError('the write-ahead log is not what its index says');
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
 * Undefined where the log has begun anew, or another commit has ended, meanwhile. The header of a log that begins anew is
 * written first, before anything is overwritten.
 */
function readOnce(file: number, { position, maxBytes, readIndex }: ReadInput): CommittedFrames | undefined {
  const index = readIndex();
  const head = readAt(file, 0, walHeaderBytes);
  const header = parseWalHeader(head);
  // It begins anew, and nothing is in it yet.
  if (header === undefined || (index !== undefined && index.place.frames === 0 && !isIndexOf(index, header)))
    return index === undefined || index.place.frames === 0 ? nothing : undefined;
  if (index !== undefined && !isIndexOf(index, header)) return undefined;
  const isSame = isSameLog(header, position.header);
  const from = isSame ? position.place : beginningOf(header);
  const end = index?.place.frames ?? Number.MAX_SAFE_INTEGER;
  if (end < from.frames) throw new RewrittenLogError('the write-ahead log is shorter than what was read');
  if (isSame) requireUnchanged(file, header, from);
  const { commit, isAtEnd } = findCommit(file, header, from, { maxBytes, end });
  if (isAtEnd && index !== undefined && end > 0 && !isSamePlace(commit, index.place)) return undefined;
  const start = offsetOfFrame(header, from.frames);
  const bytes = readAt(file, start, offsetOfFrame(header, commit.frames) - start);
  const reached = [...readFrames(header, from, bytes)].at(-1)?.after ?? from;
  if (!isSamePlace(reached, commit) || !readAt(file, 0, walHeaderBytes).equals(head)) return undefined;
  return { from: { header, place: from }, to: { header, place: commit }, bytes, isAtEnd };
}

function requireUnchanged(file: number, header: WalHeader, place: WalPlace): void {
  if (place.frames === 0) return;
  const last = readAt(file, offsetOfFrame(header, place.frames - 1), frameHeaderBytes);
  if (!endsAt(header, place, last)) throw new RewrittenLogError('the write-ahead log was changed where it was read');
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
