// Writes rows of an export as the CSV that an import reads.

import { createCurrencyDigits, formatDecimal } from '../../../lib/decimal-amount.ts';
import { csvBom, formatCsvRow, unguardedCsvCell, type CsvReader, type CsvRowPart } from '../../../lib/csv.ts';
import type { ImportColumn, RowValues } from '../kinds/import-kind.ts';
import { keyField } from './plan-row.ts';
import { unknownCurrency } from './posting-fields.ts';

type ExportFormat = { readonly header: string; formatRows(rows: readonly RowValues[]): string };

export function createExportFormat(
  { columns }: { readonly columns: readonly ImportColumn[] },
  reader: CsvReader,
): ExportFormat {
  const fields = [keyField, ...columns.map(({ field }) => field)];
  const decimals = new Map(columns.map((column) => [column.field, column.decimals]));
  const digitsOf = createCurrencyDigits();
  const toCell = (field: string, row: RowValues): CsvRowPart => {
    const { [field]: text = '', currency = '' } = row;
    const places = decimals.get(field);
    const digits = places === 'currency' ? digitsOf(currency || unknownCurrency) : places;
    const written = digits === undefined || text === '' ? text : formatDecimal(BigInt(text), digits);
    return reader === 'programs' ? unguardedCsvCell(written) : written;
  };
  return {
    header: csvBom + formatCsvRow(fields),
    formatRows: (rows) => rows.map((row) => formatCsvRow(fields.map((field) => toCell(field, row)))).join(''),
  };
}
