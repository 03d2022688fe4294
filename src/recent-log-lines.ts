// Keeps the newest lines of the log in memory, as they were written, for whoever may read them later.

import type { LogDestination } from './log-destination.ts';

const maxBytes = 1_048_576;
/** Lines are kept as bytes, many at once: thousands of texts that live on would keep the garbage collector busy. */
const batchesOfLimit = 16;

export type RecentLogLines = LogDestination & {
  newestFirst(): Iterable<string>;
  /** Whether older lines were left out by now. */
  isCut(): boolean;
};

/** A batch of lines is left out when those after it have so many bytes. */
export function createRecentLogLines(limit = maxBytes): RecentLogLines {
  const batchCharacters = Math.ceil(limit / batchesOfLimit);
  const batches: Buffer[] = [];
  let keptBytes = 0;
  let waiting = '';
  let isCut = false;
  const keepWaiting = (): void => {
    const batch = Buffer.from(waiting);
    waiting = '';
    batches.push(batch);
    keptBytes += batch.length;
    for (let [oldest] = batches; oldest !== undefined && keptBytes - oldest.length >= limit; [oldest] = batches) {
      batches.shift();
      keptBytes -= oldest.length;
      isCut = true;
    }
  };
  return {
    write: (line) => {
      waiting += line;
      if (waiting.length >= batchCharacters) keepWaiting();
    },
    *newestFirst() {
      yield* readLines(waiting);
      for (const batch of batches.toReversed()) yield* readLines(batch.toString());
    },
    isCut: () => isCut,
  };
}

/** The newest first, each with its end. */
const readLines = (text: string): string[] => (text.match(/[^\n]*\n/g) ?? []).toReversed();
