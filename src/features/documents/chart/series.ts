// The numeric series of a document: the columns that have numbers, and where their lines break.

import { Problem } from '../../../lib/problem.ts';
import type { DocumentColumn, DocumentTable } from '../rules/document-table.ts';

const maxSeries = 16;

/** The values of a column over time. Times are MS2000; a value that is NaN breaks the line. */
export type ChartSeries = {
  readonly column: DocumentColumn;
  /** Each value stays until the next one, as the states of enums and booleans do. */
  readonly isStepped: boolean;
  readonly times: readonly number[];
  readonly values: readonly number[];
  /** Of the numbers, as they are stored. */
  readonly statistics: SeriesStatistics;
};

export type SeriesStatistics = {
  readonly count: number;
  readonly min: StoredNumber;
  readonly max: StoredNumber;
  readonly last: StoredNumber;
};

/** As it is stored, unless that is very long. */
export type StoredNumber = { readonly value: number; readonly text: string };

const maxNumberLength = 24;

/** Throws the Problem `no-numeric-data` or `too-many-series`. */
export function createSeries(table: DocumentTable): ChartSeries[] {
  const series = table.columns.flatMap((_, column) => createColumnSeries(table, column) ?? []);
  if (series.length === 0) throw new Problem('no-numeric-data');
  if (series.length > maxSeries)
    throw new Problem('too-many-series', {
      detail: `The selection has ${series.length} numeric series; a chart has at most ${maxSeries}.`,
    });
  return series;
}

/** Undefined for a column without a number. */
function createColumnSeries({ columns, rows }: DocumentTable, index: number): ChartSeries | undefined {
  const column = columns[index];
  if (column === undefined || column.valueType === 'text' || column.valueType === 'time') return undefined;
  const isStepped = column.valueType === 'enum' || column.valueType === 'bool';
  const times: number[] = [];
  const values: number[] = [];
  const numbers = new NumberStatistics();
  for (const { ms2000, cells } of rows) {
    const cell = cells[index];
    // No sample at this time: only other columns have one, and the line goes on.
    if (cell === null || cell === undefined) continue;
    times.push(ms2000);
    values.push(cell.value ?? Number.NaN);
    if (cell.value !== null && cell.text !== null) numbers.add(cell.value, shorten(cell.text, cell.value, isStepped));
  }
  const { statistics } = numbers;
  if (statistics === undefined) return undefined;
  return { column, isStepped, times, values, statistics };
}

/** A number may be stored with thousands of digits. */
const shorten = (text: string, value: number, isStepped: boolean): string =>
  isStepped || text.length <= maxNumberLength ? text : String(value);

class NumberStatistics {
  #count = 0;
  #min = { value: Number.POSITIVE_INFINITY, text: '' };
  #max = { value: Number.NEGATIVE_INFINITY, text: '' };
  #last = { value: 0, text: '' };

  add(value: number, text: string): void {
    this.#count += 1;
    if (value < this.#min.value) this.#min = { value, text };
    if (value > this.#max.value) this.#max = { value, text };
    this.#last = { value, text };
  }

  get statistics(): SeriesStatistics | undefined {
    return this.#count === 0 ? undefined : { count: this.#count, min: this.#min, max: this.#max, last: this.#last };
  }
}
