// Selects the numeric series of a document: the columns that have numbers, and the breaks of their lines.

import { Problem } from '../../../lib/problem.ts';
import type { SampleColumn, SampleTable } from '../rules/document-table.ts';

const maxSeries = 16;

/** The values of a column over time. Times are MS2000; a value that is NaN breaks the line. */
export type GraphSeries = {
  readonly column: SampleColumn;
  /** Whether each value lasts until the next one, as for enums and booleans. */
  readonly isStepped: boolean;
  readonly times: readonly number[];
  readonly values: readonly number[];
  /** The statistics of the numbers, as they are stored. */
  readonly statistics: SeriesStatistics;
};

export type SeriesStatistics = {
  readonly count: number;
  readonly min: StoredNumber;
  readonly max: StoredNumber;
  readonly last: StoredNumber;
};

/** `text` is the stored text, unless that is very long. */
type StoredNumber = { readonly value: number; readonly text: string };

const maxNumberLength = 24;

/** The series with a course: more than one number. At most as many as a graph shows. */
export const createCourses = (table: SampleTable): GraphSeries[] =>
  listSeries(table)
    .filter(({ statistics }) => statistics.count > 1)
    .slice(0, maxSeries);

const listSeries = (table: SampleTable): GraphSeries[] =>
  table.columns.flatMap((_, column) => createColumnSeries(table, column) ?? []);

/** Throws the Problem `no-numeric-data` or `too-many-series`. */
export function createSeries(table: SampleTable): GraphSeries[] {
  const series = listSeries(table);
  if (series.length === 0) throw new Problem('no-numeric-data');
  if (series.length > maxSeries)
    throw new Problem('too-many-series', {
      detail: `The selection has ${series.length} numeric series; a graph shows at most ${maxSeries}.`,
    });
  return series;
}

/** Undefined for a column without a number. */
function createColumnSeries({ columns, rows }: SampleTable, index: number): GraphSeries | undefined {
  const column = columns[index];
  if (column === undefined || column.valueType === 'text' || column.valueType === 'time') return undefined;
  const isStepped = column.valueType === 'enum' || column.valueType === 'bool';
  const times: number[] = [];
  const values: number[] = [];
  const numbers = new NumberStatistics();
  for (const { ms2000, cells } of rows) {
    const cell = cells[index];
    // Only other columns have a sample at this time, so the line continues.
    if (cell === null || cell === undefined) continue;
    times.push(ms2000);
    values.push(cell.value ?? Number.NaN);
    if (cell.value !== null && cell.text !== null) numbers.add(cell.value, shorten(cell.text, cell.value, isStepped));
  }
  const { statistics } = numbers;
  if (statistics === undefined) return undefined;
  return { column, isStepped, times, values, statistics };
}

/** A number can be stored with thousands of digits. */
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
