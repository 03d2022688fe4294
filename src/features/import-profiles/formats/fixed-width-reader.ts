// Reads one line whose columns are at fixed positions. Positions are counted in characters (code points), from 1.

import { brokenRow, type SourceRow } from './source-row.ts';
import type { SourceLine } from './line-reader.ts';

export type FixedWidthColumn = {
  readonly key: string;
  readonly start: number;
  readonly length: number;
  /** Whether a line that ends within the column lacks something: a number without its last digits is another one. */
  readonly isExact: boolean;
};

const surrogate = /[\uD800-\uDFFF]/;

/** Spaces after a text are what fills its column. A line that lacks them is as good. */
export function readFixedWidthLine({ line, text }: SourceLine, columns: readonly FixedWidthColumn[]): SourceRow {
  const characters = surrogate.test(text) ? Array.from(text) : undefined;
  const length = characters?.length ?? text.length;
  const values = new Map<string, string>();
  for (const column of columns) {
    const start = column.start - 1;
    const end = start + column.length;
    if (column.isExact && length > start && length < end)
      return brokenRow(line, 'line-too-short', `Line ${line} ends within the column at ${column.start}.`);
    const cell = characters === undefined ? text.slice(start, end) : characters.slice(start, end).join('');
    values.set(column.key, withoutFill(cell));
  }
  return { line, values };
}

function withoutFill(cell: string): string {
  let end = cell.length;
  while (cell[end - 1] === ' ') end -= 1;
  return cell.slice(0, end);
}
