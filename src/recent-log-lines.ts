// Collects the lines of the log to batches, which are written out, and keeps the newest in memory for whoever may read them
// later. A batch is made of bytes once, for both.

const maxBytes = 1_048_576;
/** Lines are kept many at once: thousands of texts that live on would keep the garbage collector busy. */
const batchesOfLimit = 16;

export type RecentLogLines = ReturnType<typeof createRecentLogLines>;

/** Kept batches are left out when those after them have so many bytes. */
export function createRecentLogLines(limit = maxBytes) {
  const fullBatch = Math.ceil(limit / batchesOfLimit);
  const batches: Buffer[] = [];
  let keptBytes = 0;
  let waiting = '';
  let isCut = false;
  let takeBatch: (batch: Buffer) => void = () => {};
  const keep = (batch: Buffer): void => {
    const last = batches.at(-1);
    // A batch ends with the time if little is logged.
    if (last !== undefined && last.length + batch.length <= fullBatch)
      batches[batches.length - 1] = Buffer.concat([last, batch]);
    else batches.push(batch);
    keptBytes += batch.length;
    for (let [oldest] = batches; oldest !== undefined && keptBytes - oldest.length >= limit; [oldest] = batches) {
      batches.shift();
      keptBytes -= oldest.length;
      isCut = true;
    }
  };
  const endBatch = (): void => {
    if (waiting === '') return;
    const batch = Buffer.from(waiting);
    waiting = '';
    keep(batch);
    takeBatch(batch);
  };
  return {
    /** Takes a line with its end. */
    write: (line: string) => {
      waiting += line;
      if (waiting.length >= fullBatch) endBatch();
    },
    /** Ends the batch that is being filled, full or not. */
    endBatch,
    /** Who gets each batch when it has ended. */
    onBatch: (take: (batch: Buffer) => void) => {
      takeBatch = take;
    },
    *newestFirst(): Generator<string> {
      yield* readLines(waiting);
      for (const batch of batches.toReversed()) yield* readLines(batch.toString());
    },
    /** Whether older lines were left out by now. */
    isCut: () => isCut,
  };
}

/** The newest first, each with its end. */
const readLines = (text: string): string[] => (text.match(/[^\n]*\n/g) ?? []).toReversed();
