// The messages between the main thread and the spreadsheet thread.

import type { Cell } from './cells.ts';

export type XlsSheet = {
  readonly name: string;
  readonly columns: readonly string[];
  /** The names of columns whose numbers are amounts of money in a major unit. */
  readonly moneyColumns?: readonly string[];
};
export type XlsRow = readonly Cell[];

/** After the sheet: rows to add, or the end of the rows. The thread answers the sheet and each request once. */
export type XlsWorkerRequest = readonly XlsRow[] | 'finish';
