// Writes rows of an export as the CSV that an import reads.

import { pointDecimal } from '../../../lib/decimal-amount.ts';
import {
  csvBom,
  formatCsvChunks,
  formatCsvRow,
  PlainCsvCell,
  unguardedCsvCell,
  type CsvReader,
  type CsvRowPart,
} from '../../../lib/csv.ts';
import type { ImportColumn, RowValues } from '../kinds/import-kind.ts';
import { createColumnDigits } from './decimal-fields.ts';
import { keyField } from './plan-row.ts';

type ExportFormat = { readonly header: string; formatRows(rows: readonly RowValues[]): Iterable<string> };

export function createExportFormat(
  { columns }: { readonly columns: readonly ImportColumn[] },
  reader: CsvReader,
): ExportFormat {
  const fields = [{ field: keyField, decimals: undefined }, ...columns];
  const digitsOf = createColumnDigits();
  const toTextCell = reader === 'programs' ? unguardedCsvCell : (text: string): CsvRowPart => text;
  const toAmountCell = (integer: string, digits: number): CsvRowPart =>
    integer === '' ? '' : new PlainCsvCell(pointDecimal(integer, digits));
  const toCells = (row: RowValues): CsvRowPart[] =>
    fields.map(({ field, decimals }) => {
      const { [field]: text = '' } = row;
      if (decimals === undefined) return toTextCell(text);
      return toAmountCell(text, digitsOf(decimals, row['currency'] ?? ''));
    });
  return {
    header: csvBom + formatCsvRow(fields.map(({ field }) => field)),
    formatRows: (rows) => formatCsvChunks(rows.values().map(toCells)),
  };
}
