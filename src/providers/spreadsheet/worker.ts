// The spreadsheet thread: it receives the sheet and then batches of rows, and returns the finished file.

import { parentPort } from 'node:worker_threads';
import type { XlsSheet, XlsWorkerRequest } from './protocol.ts';
import { Workbook } from './workbook.ts';

parentPort?.once('message', (sheet: XlsSheet) => {
  const workbook = new Workbook(sheet);
  parentPort?.on('message', (request: XlsWorkerRequest) => {
    if (request === 'finish') {
      const pieces = workbook.finish();
      // The pieces are transferred without a copy: each has memory of its own.
      parentPort?.postMessage(
        pieces,
        pieces.map(({ buffer }) => buffer as ArrayBuffer),
      );
    } else {
      workbook.add(request);
      parentPort?.postMessage('taken');
    }
  });
  parentPort?.postMessage('taken');
});
