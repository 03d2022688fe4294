// Writes rows of an export as the CSV that an import reads.

import { pointDecimal } from '../../../lib/values/decimal-amount.ts';
import {
  csvBom,
  escapeCsvQuotes,
  formatCsvRow,
  formatCsvText,
  joinCsvRows,
  type CsvReader,
} from '../../../lib/text/csv.ts';
import type { ImportColumn, RowValues } from '../../import-kinds/import-kind.ts';
import { createColumnDigits } from '../../import-kinds/rules/decimal-fields.ts';
import { keyField } from '../../import-kinds/import-kind.ts';

type ExportFormat = { readonly header: string; formatRows(rows: readonly RowValues[]): Iterable<string> };

export function createExportFormat(
  { columns }: { readonly columns: readonly ImportColumn[] },
  reader: CsvReader,
): ExportFormat {
  const digitsOf = createColumnDigits();
  const formatText = reader === 'programs' ? escapeCsvQuotes : formatCsvText;
  // One text for each row, without a list of its cells: an export has millions of them.
  const formatRow = (row: RowValues): string => {
    let line = `"${formatText(row[keyField] ?? '')}`;
    for (const { field, decimals } of columns) {
      const { [field]: text = '' } = row;
      if (decimals === undefined) line += `","${formatText(text)}`;
      else line += `","${text === '' ? '' : pointDecimal(text, digitsOf(decimals, row['currency'] ?? ''))}`;
    }
    return `${line}"\r\n`;
  };
  return {
    header: csvBom + formatCsvRow([keyField, ...columns.map(({ field }) => field)]),
    formatRows: (rows) => joinCsvRows(rows, formatRow),
  };
}
