// Writes spreadsheets in the format of Excel 97-2003, one at a time, in a thread of their own: a full one takes a second
// and some hundred megabytes. The writer is our own because the one library for it takes minutes for a full sheet.

import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { ConcurrencyLimit } from '../../lib/concurrency-limit.ts';
import { Problem } from '../../lib/problem.ts';
import type { XlsRow, XlsSheet, XlsWorkerRequest } from './protocol.ts';

export type { XlsRow } from './protocol.ts';

/** Writes the rows of a sheet to a file, and returns it in pieces. */
export type WriteXls = (sheet: XlsSheet, batches: AsyncIterable<readonly XlsRow[]>) => Promise<Uint8Array[]>;

const defaultMaxWaitMs = 5000;

/** A request that finds another spreadsheet being written waits so long for its turn; then it is `storage-busy`. */
export function createXlsWriter(maxWaitMs = defaultMaxWaitMs): WriteXls {
  const limit = new ConcurrencyLimit(1, () => new Problem('storage-busy'), maxWaitMs);
  return (sheet, batches) => limit.run(() => writeInThread(sheet, batches));
}

const resourceLimits = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 16 };

async function writeInThread(sheet: XlsSheet, batches: AsyncIterable<readonly XlsRow[]>): Promise<Uint8Array[]> {
  const directory = getCompileCacheDir();
  const compileCache = directory === undefined ? undefined : dirname(directory);
  const worker = new Worker(new URL('./thread.mjs', import.meta.url), {
    name: 'xls',
    workerData: { ...sheet, compileCache },
    execArgv: [],
    env: {},
    resourceLimits,
  });
  const failed = new Promise<never>((_, reject) => {
    worker.on('error', reject).on('exit', () => reject(new Error('the spreadsheet thread has ended')));
  });
  failed.catch(() => {});
  const sendRequest = (message: XlsWorkerRequest): Promise<unknown> => {
    const answered = new Promise((resolve) => worker.once('message', resolve));
    worker.postMessage(message);
    const answer = Promise.race([answered, failed]);
    // Nobody may wait for it, if reading the rows failed meanwhile.
    answer.catch(() => {});
    return answer;
  };
  try {
    // A batch is read while the thread is at work on the one before.
    let accepted: Promise<unknown> = Promise.resolve();
    for await (const rows of batches) {
      await accepted;
      accepted = sendRequest(rows);
    }
    await accepted;
    return (await sendRequest('finish')) as Uint8Array[];
  } finally {
    await worker.terminate();
  }
}
