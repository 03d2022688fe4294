// The head of SQLite's index of the write-ahead log, which all processes share: how much of the log is committed. A commit
// is in the log before it is here. If a process is killed in between, the others overwrite it.
// https://sqlite.org/walformat.html#the_wal_index_file_format

import type { WalHeader, WalPlace } from './wal-format.ts';

export const walIndexBytes = 96;
const copyBytes = 48;

export type CommittedLog = {
  readonly place: WalPlace;
  /** Those of the log. */
  readonly salts: Buffer;
};

/** Undefined while it is being changed. Its words are in the order of the machine, which is little-endian on all that we support. */
export function parseWalIndex(bytes: Buffer): CommittedLog | undefined {
  const head = bytes.subarray(0, copyBytes);
  const isInitialised = bytes.length >= walIndexBytes && head[12] === 1;
  if (!isInitialised || !head.equals(bytes.subarray(copyBytes, walIndexBytes))) return undefined;
  const [frames, first, second] = [head.readUInt32LE(16), head.readUInt32LE(24), head.readUInt32LE(28)];
  return { place: { frames, checksum: [first, second] }, salts: Buffer.from(head.subarray(32, 40)) };
}

export const isIndexOf = ({ salts }: CommittedLog, { bytes }: WalHeader): boolean =>
  salts.equals(bytes.subarray(16, 24));
