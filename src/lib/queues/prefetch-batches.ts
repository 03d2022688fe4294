// Reads a known number of rows in batches. While one batch is used, the next is being read.

import { setImmediate as endOfTurn } from 'node:timers/promises';

type BatchSource<T> = {
  readonly first: readonly T[];
  /** The number of all of them. */
  readonly totalCount: number;
  readNext(last: T): Promise<readonly T[]>;
};

/** Throws at the end if the number of rows is not the known one: the result would be incomplete. */
export async function* prefetchBatches<T>({
  first,
  totalCount,
  readNext,
}: BatchSource<T>): AsyncGenerator<readonly T[]> {
  let readCount = 0;
  for (let rows = first; rows.length > 0;) {
    readCount += rows.length;
    const last = rows.at(-1);
    const nextBatch = last === undefined || readCount >= totalCount ? [] : readNext(last);
    // The consumer may stop here, and then nobody awaits the next batch.
    if (nextBatch instanceof Promise) {
      nextBatch.catch(() => {});
      // What is asked in this turn of the event loop is sent at its end, and the consumer may take long without one.
      await endOfTurn();
    }
    yield rows;
    rows = await nextBatch;
  }
  if (readCount !== totalCount) throw new Error(`there are ${readCount} rows in place of ${totalCount}`);
}
