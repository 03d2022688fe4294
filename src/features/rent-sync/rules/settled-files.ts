// Decides which files of a folder are complete, and in which order they are taken.

import type { IncomingFiles } from './sync-config.ts';
import { findIncoming, isIgnoredName, isTooLongName } from './sync-names.ts';

/** What changes when a file is written to or replaced. */
export type SeenFile = {
  readonly name: string;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly inode: bigint;
};

/** The files of the last look, and since when they have been as they are. */
export type WatchedFiles = ReadonlyMap<string, { readonly file: SeenFile; readonly sinceMs: number }>;

export const isUnchangedFile = (one: Omit<SeenFile, 'name'>, other: Omit<SeenFile, 'name'>): boolean =>
  one.size === other.size && one.mtimeNs === other.mtimeNs && one.inode === other.inode;

/** `nowMs` is of a clock that nobody sets. */
export const watchFiles = (before: WatchedFiles, seen: readonly SeenFile[], nowMs: number): WatchedFiles =>
  new Map(
    seen.map((file) => {
      const known = before.get(file.name);
      const isUnchanged = known !== undefined && isUnchangedFile(known.file, file);
      return [file.name, isUnchanged ? known : { file, sinceMs: nowMs }];
    }),
  );

export type TakenFile = { readonly file: SeenFile; readonly incoming: IncomingFiles };

export type SelectedFiles = {
  /** In the order in which they are taken. */
  readonly ready: readonly TakenFile[];
  /** Not complete yet, or after one that is not. */
  readonly waiting: readonly string[];
  /** Stay where they are, and why. */
  readonly others: readonly { readonly name: string; readonly reason: string }[];
};

/**
 * The order is the order of the names, by code units, so that the order is the same on every machine: senders put a
 * date or a number into the names. The times of files cannot give the order: files that arrive together have the same
 * time, and a file that is sent again has a new time.
 */
export function selectFiles(
  incoming: readonly IncomingFiles[],
  watched: WatchedFiles,
  { nowMs, settleMs }: { readonly nowMs: number; readonly settleMs: number },
): SelectedFiles {
  const ready: TakenFile[] = [];
  const waiting: string[] = [];
  const others: { name: string; reason: string }[] = [];
  const held = new Set<string>();
  for (const name of [...watched.keys()].toSorted()) {
    const { file, sinceMs } = watched.get(name)!;
    if (isIgnoredName(name)) continue;
    const entry = findIncoming(incoming, name);
    if (entry === undefined) others.push({ name, reason: 'no pattern of the config matches its name' });
    else if (isTooLongName(name)) others.push({ name, reason: 'its name is too long' });
    else if (held.has(orderOf(entry)) || nowMs - sinceMs < settleMs) {
      held.add(orderOf(entry));
      waiting.push(name);
    } else ready.push({ file, incoming: entry });
  }
  return { ready, waiting, others };
}

/** Files of the same kind and bank wait for each other: the later one has the newer state. */
export const orderOf = ({ kind, bankId }: Pick<IncomingFiles, 'kind' | 'bankId'>): string => `${kind}/${bankId}`;

const maxRetryMs = 3_600_000;

/** How long a file is left alone that could not be worked on, after so many attempts. */
export const retryDelayMs = (attempts: number, intervalMs: number): number =>
  Math.min(maxRetryMs, intervalMs * 2 ** Math.min(20, attempts - 1));
