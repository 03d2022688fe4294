// Reads the rows of a list of ids in batches, in the order of the list. While one batch is used, the next ones are being read.

import { setImmediate as endOfTurn } from 'node:timers/promises';

type ReadAheadOptions<B> = {
  readonly batchSize: number;
  /** How many batches are being read at a time. */
  readonly batchesAhead: number;
  read(ids: readonly number[]): Promise<B>;
};

/** Throws where a batch has another number of rows than of ids: the result would be incomplete. */
export async function* readAhead<B extends { readonly count: number }>(
  ids: readonly number[],
  { batchSize, batchesAhead, read }: ReadAheadOptions<B>,
): AsyncGenerator<B> {
  const reading: { readonly wanted: number; readonly batch: Promise<B> }[] = [];
  for (let from = 0; from < ids.length || reading.length > 0;) {
    while (from < ids.length && reading.length < batchesAhead) {
      const wanted = ids.slice(from, from + batchSize);
      const batch = read(wanted);
      // It is possible that nobody awaits it.
      batch.catch(() => {});
      reading.push({ wanted: wanted.length, batch });
      from += batchSize;
      // Statements of one turn of the event loop are sent, and answered, together.
      await endOfTurn();
    }
    const next = reading.shift();
    if (next === undefined) return;
    const rows = await next.batch;
    if (rows.count !== next.wanted) throw new Error(`there are ${rows.count} rows in place of ${next.wanted}`);
    yield rows;
  }
}
