// Finds the columns of a document that have a sample. Most settings of a unit are not written while it runs.

import type { SampleColumn, SampleTable } from '../rules/document-table.ts';

/** Returns the table with only the columns that have a sample; a stored null is one. */
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

export function findSampledColumns({ columns, rows }: SampleTable): ReadonlySet<SampleColumn> {
  return new Set(columns.filter((_, index) => rows.some(({ cells }) => cells[index] !== null)));
}
