// The messages between the main thread and the spreadsheet thread.

import type { Cell } from './cells.ts';

export type XlsSheet = { readonly name: string; readonly columns: readonly string[] };
export type XlsRow = readonly Cell[];

/** Rows to add, or the end of them. The thread answers each request once. */
export type XlsWorkerRequest = readonly XlsRow[] | 'finish';
