// Reads what a list of ids names, in batches and in its order. While one batch is used, the next ones are being read.

import { setImmediate as endOfTurn } from 'node:timers/promises';

export type ReadAheadOptions<B> = {
  readonly batchSize: number;
  /** How many batches are being read at a time. */
  readonly batchesAhead: number;
  read(ids: readonly number[]): Promise<B>;
};

/** Throws where a batch has another number of rows than ids: what is made of them would be no whole. */
export async function* readAhead<B extends { readonly count: number }>(
  ids: readonly number[],
  { batchSize, batchesAhead, read }: ReadAheadOptions<B>,
): AsyncGenerator<B> {
  const reading: { readonly wanted: number; readonly batch: Promise<B> }[] = [];
  for (let from = 0; from < ids.length || reading.length > 0;) {
    while (from < ids.length && reading.length < batchesAhead) {
      const wanted = ids.slice(from, from + batchSize);
      const batch = read(wanted);
      // Nobody may be left to wait for it.
      batch.catch(() => {});
      reading.push({ wanted: wanted.length, batch });
      from += batchSize;
      // What is asked in one turn of the event loop is sent, and answered, as one.
      await endOfTurn();
    }
    const next = reading.shift();
    if (next === undefined) return;
    const rows = await next.batch;
    if (rows.count !== next.wanted) throw new Error(`there are ${rows.count} rows in place of ${next.wanted}`);
    yield rows;
  }
}
