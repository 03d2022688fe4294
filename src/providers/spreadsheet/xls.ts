// Spreadsheets in the format of Excel 97-2003, made in a thread of their own, one at a time: a full one takes a second
// of work and some hundred megabytes. We write the format ourselves: the one library that does takes minutes for a full
// sheet, and more than linearly.

import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Gate } from '../../lib/gate.ts';
import { Problem } from '../../lib/problem.ts';
import type { Cell } from './cells.ts';

export type Sheet = { readonly name: string; readonly columns: readonly string[] };
export type Row = readonly Cell[];
export type Ask = readonly Row[] | 'finish';

/** Makes a file of a sheet's rows; answers it in pieces. */
export type XlsFiles = (sheet: Sheet, batches: AsyncIterable<readonly Row[]>) => Promise<Uint8Array[]>;

const usualWaitMs = 5000;

/** Who finds a spreadsheet being made waits so long for a turn, and is then refused. */
export function xlsFiles(waitMs = usualWaitMs): XlsFiles {
  const gate = new Gate(1, () => new Problem('storage-busy'), waitMs);
  return (sheet, batches) => gate.hold(() => inThread(sheet, batches));
}

const resourceLimits = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 16 };

async function inThread(sheet: Sheet, batches: AsyncIterable<readonly Row[]>): Promise<Uint8Array[]> {
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
  const ask = (message: Ask): Promise<unknown> => {
    const answered = new Promise((resolve) => worker.once('message', resolve));
    worker.postMessage(message);
    const answer = Promise.race([answered, failed]);
    // It may be that nobody waits for it: the rows came to an error meanwhile.
    answer.catch(() => {});
    return answer;
  };
  try {
    // A batch is read while the thread is at work on the one before.
    let taken: Promise<unknown> = Promise.resolve();
    for await (const rows of batches) {
      await taken;
      taken = ask(rows);
    }
    await taken;
    return (await ask('finish')) as Uint8Array[];
  } finally {
    await worker.terminate();
  }
}
