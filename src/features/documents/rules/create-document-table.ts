// Arranges the samples of a document in a table: one row for each time, one cell for each column. Finds the columns
// that have samples.

import { UtcDayFormatter } from '../../../lib/time/utc-day-formatter.ts';
import type { ValueType } from '../../units/catalogue/value-definition.ts';
import { checkDocumentSize } from './document-limits.ts';
import type {
  DocumentHead,
  SampleRow,
  DocumentSamples,
  SampleTable,
  SampleValue,
  SampleColumn,
} from './document-table.ts';

type Cells = (SampleValue | null)[];

/**
 * Throws the Problem `document-too-large` if the document exceeds a limit. Nothing is interpolated or rounded. If a
 * column has no sample at a time, the cell is empty.
 */
export function createDocumentTable(head: DocumentHead, samples: DocumentSamples): SampleTable {
  checkDocumentSize(head, samples);
  const parsers = head.columns.map(createNumericParser);
  const emptyCells: Cells = head.columns.map(() => null);
  const utcFormatter = new UtcDayFormatter();
  const rows: SampleRow[] = [];
  let cells = emptyCells;
  let rowMs2000 = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < samples.ms2000.length; index += 1) {
    const ms2000 = samples.ms2000[index] ?? 0;
    if (ms2000 !== rowMs2000) {
      if (ms2000 < rowMs2000) throw new RangeError('the samples are not in the order of their times');
      rowMs2000 = ms2000;
      cells = emptyCells.slice();
      rows.push({ ms2000, utc: utcFormatter.formatInstant(ms2000, 'Z'), cells });
    }
    const column = samples.columns[index] ?? -1;
    const parse = parsers[column];
    if (parse === undefined) throw new RangeError('a sample belongs to no column');
    if (cells[column] !== null) throw new RangeError('a column has two samples at one time');
    const text = samples.texts[index] ?? null;
    cells[column] = { text, value: text === null ? null : parse(text) };
  }
  return { ...head, rows };
}

/** A finite number, or null if the text does not spell a number of the type. */
type ParseNumericValue = (text: string) => number | null;

/**
 * A decimal as devices write it: it can have a sign, leading zeros and an exponent, but no blanks, hex digits or
 * separators.
 */
const decimalPattern = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * `1e3`, `+5`, `007` and `.5` are numbers. The empty text, ` 5`, `0x10`, `1,5`, `NaN` and `Infinity` are not, and
 * neither is `1e999`, which exceeds the range of doubles. Minus zero is zero.
 */
function parseDecimal(text: string): number | null {
  if (!decimalPattern.test(text)) return null;
  const number = Number(text);
  return Number.isFinite(number) ? number + 0 : null;
}

const parseBoolean: ParseNumericValue = (text) => (text === 'true' ? 1 : text === 'false' ? 0 : null);

/** The index of the option; names count in their exact spelling. */
function createOptionParser(options: readonly string[]): ParseNumericValue {
  const indexes = new Map(options.map((option, index) => [option, index]));
  return (text) => indexes.get(text) ?? null;
}

const parseNothing: ParseNumericValue = () => null;

const parsers: Readonly<Record<ValueType, (column: SampleColumn) => ParseNumericValue>> = {
  int: () => parseDecimal,
  decimal: () => parseDecimal,
  duration: () => parseDecimal,
  money: () => parseDecimal,
  bool: () => parseBoolean,
  enum: ({ options }) => createOptionParser(options),
  text: () => parseNothing,
  time: () => parseNothing,
};

const createNumericParser = (column: SampleColumn): ParseNumericValue => parsers[column.valueType](column);

/**
 * Returns the table with only the columns that have a sample; a stored null is a sample, too. Most settings of a unit
 * are not written while the unit runs, so many columns have no sample.
 */
export function selectSampledColumns(table: SampleTable): SampleTable {
  const isSampled = findSampledColumns(table);
  return {
    ...table,
    columns: table.columns.filter((column) => isSampled.has(column)),
    rows: table.rows.map((row) => ({
      ...row,
      cells: row.cells.filter((_, index) => isSampled.has(table.columns[index] as SampleColumn)),
    })),
  };
}

export const findSampledColumns = ({ columns, rows }: SampleTable): ReadonlySet<SampleColumn> =>
  new Set(columns.filter((_, index) => rows.some(({ cells }) => cells[index] !== null)));
