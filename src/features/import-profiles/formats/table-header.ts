// The header of a CSV, and what it makes of the rows below it: texts by the names of their columns.

import type { ProfileAddressing } from '../rules/profile.ts';
import type { CsvRow } from './csv-reader.ts';
import { brokenRow, UnreadableFile, type SourceRow } from './source-row.ts';

/** Throws if the names do not tell the columns apart. Empty names at the end are no columns. */
export function readHeader(row: CsvRow | undefined): readonly string[] {
  if (row === undefined)
    throw new UnreadableFile('empty-file', 1, 'The file is empty. Its first row has to be a header.');
  const { line } = row;
  if ('problem' in row) throw new UnreadableFile(row.problem.code, line, `No header: ${row.problem.text}`);
  const names = row.cells.map((cell) => cell.trim());
  const header = names.slice(0, names.findLastIndex((name) => name !== '') + 1);
  const unnamed = header.indexOf('');
  if (unnamed !== -1)
    throw new UnreadableFile(
      'column-without-name',
      line,
      `Column ${unnamed + 1} of the header, line ${line}, has no name.`,
    );
  const repeated = header.find((name, index) => header.indexOf(name) !== index);
  if (repeated !== undefined)
    throw new UnreadableFile(
      'repeated-column',
      line,
      `The header, line ${line}, has ${JSON.stringify(repeated)} twice.`,
    );
  return header;
}

export type RowNamer = (row: CsvRow) => SourceRow;

/** If there is no header, each row may have another number of cells. */
export function createRowNamer(header: readonly string[] | null, addressing: ProfileAddressing): RowNamer {
  const names = addressing === 'names' ? header : header?.map((_, index) => String(index + 1));
  return (row) => {
    if ('problem' in row) return row;
    const { line, cells } = row;
    if (header !== null && cells.length !== header.length) {
      const counts = `Line ${line} has ${cells.length} cells, and the header ${header.length}.`;
      if (cells.length < header.length) return brokenRow(line, 'too-few-cells', counts);
      // Spreadsheets write empty cells after the last one where any row has more.
      if (cells.slice(header.length).some((cell) => cell !== '')) return brokenRow(line, 'too-many-cells', counts);
    }
    const values = new Map<string, string>();
    for (let index = 0; index < (header ?? cells).length; index += 1)
      values.set(names?.[index] ?? String(index + 1), cells[index] ?? '');
    return { line, values };
  };
}
