// Writes rows of an export as the CSV that an import reads.

import { csvBom, formatCsvRow, unguardedCsvCell, type CsvReader, type CsvRowPart } from '../../../lib/csv.ts';
import type { ImportColumn, RowValues } from '../kinds/import-kind.ts';
import { keyField } from './plan-row.ts';

type ExportFormat = { readonly header: string; formatRows(rows: readonly RowValues[]): string };

export function createExportFormat(
  { columns }: { readonly columns: readonly ImportColumn[] },
  reader: CsvReader,
): ExportFormat {
  const fields = [keyField, ...columns.map(({ field }) => field)];
  const decimals = new Map(columns.map((column) => [column.field, column.decimals]));
  const toCell = (field: string, text: string): CsvRowPart => {
    const places = decimals.get(field);
    const written = places === undefined || text === '' ? text : formatDecimal(text, places);
    return reader === 'programs' ? unguardedCsvCell(written) : written;
  };
  return {
    header: csvBom + formatCsvRow(fields),
    formatRows: (rows) =>
      rows.map((row) => formatCsvRow(fields.map((field) => toCell(field, row[field] ?? '')))).join(''),
  };
}

/** Minor units -> a decimal with a point: `-1250` with two places is `-12.50`. */
function formatDecimal(minor: string, places: number): string {
  if (places === 0) return minor;
  const digits = minor.replace('-', '').padStart(places + 1, '0');
  return `${minor.startsWith('-') ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}
