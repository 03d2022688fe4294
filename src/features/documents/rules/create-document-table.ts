// Arranges the samples of a document in a table: one row for each time, one cell for each column. Nothing is
// interpolated or rounded; if a column has no sample at a time, the cell is empty.

import { UtcDayFormatter } from '../../../lib/time/utc-day-formatter.ts';
import { checkDocumentSize } from './document-limits.ts';
import type { DocumentHead, SampleRow, DocumentSamples, SampleTable, SampleValue } from './document-table.ts';
import { createNumericParser } from './numeric-value.ts';

type Cells = (SampleValue | null)[];

/** Throws the Problem `document-too-large` if the document exceeds a limit. */
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
