// The spreadsheet thread: it takes batches of rows and returns the finished file.

import { parentPort, workerData } from 'node:worker_threads';
import type { XlsWorkerRequest, XlsSheet } from './protocol.ts';
import { Workbook } from './workbook.ts';

const { name, columns } = workerData as XlsSheet;
const workbook = new Workbook(name, columns);

parentPort?.on('message', (ask: XlsWorkerRequest) => {
  if (ask === 'finish') {
    const pieces = workbook.finish();
    // Handed over as they are: each has its memory for itself.
    parentPort?.postMessage(
      pieces,
      pieces.map(({ buffer }) => buffer as ArrayBuffer),
    );
  } else {
    workbook.add(ask);
    parentPort?.postMessage('taken');
  }
});
