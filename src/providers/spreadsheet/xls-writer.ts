// Writes spreadsheets in the format of Excel 97-2003, one at a time, in a thread of their own: a full one takes a
// second and some hundred megabytes. The writer is our own because the only library for it takes minutes for a full
// sheet.

import { Problem } from '../../lib/problem.ts';
import { ThreadPool } from '../../lib/threads/thread-pool.ts';
import type { WorkerThread } from '../../lib/threads/worker-thread.ts';
import type { XlsRow, XlsSheet, XlsWorkerRequest } from './protocol.ts';

export type { XlsRow } from './protocol.ts';

/** Writes the rows of a sheet to a file, and returns it in pieces. */
export type WriteXls = (sheet: XlsSheet, batches: AsyncIterable<readonly XlsRow[]>) => Promise<Uint8Array[]>;

const defaultMaxWaitMs = 5000;

/** A request waits this long while another spreadsheet is being written; then it gets `storage-busy`. */
export function createXlsWriter(maxWaitMs = defaultMaxWaitMs): WriteXls {
  const threads = new ThreadPool({
    thread: {
      module: new URL('./worker.ts', import.meta.url),
      name: 'spreadsheets',
      resourceLimits: { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 16 },
    },
    maxThreads: 1,
    maxWaitMs,
    createRefusal: () => new Problem('storage-busy'),
  });
  return (sheet, batches) => threads.run((thread) => write(thread, sheet, batches));
}

async function write(
  thread: WorkerThread,
  sheet: XlsSheet,
  batches: AsyncIterable<readonly XlsRow[]>,
): Promise<Uint8Array[]> {
  const send = <Answer>(request: XlsSheet | XlsWorkerRequest): Promise<Answer> => {
    const answer = thread.request<Answer>(request);
    // Nothing may wait for it if reading the rows has failed meanwhile.
    answer.catch(() => {});
    return answer;
  };
  // The next batch is read while the thread works on the previous one.
  let accepted = send(sheet);
  for await (const rows of batches) {
    await accepted;
    accepted = send(rows);
  }
  await accepted;
  return send('finish');
}
