// Renders a document as CSV. Missing, null and empty cells look the same.

import { csvBom, formatCsvRow } from '../../../lib/text/csv.ts';
import { encodeUtf8, type RenderDocument } from './document-format.ts';
import { exportColumnNames } from './export-columns.ts';

export const renderCsv: RenderDocument = (table) => {
  const rows = table.rows.map(({ ms2000, utc, cells }) =>
    formatCsvRow([ms2000, utc, ...cells.map((cell) => cell?.text)]),
  );
  return encodeUtf8(`${csvBom}${formatCsvRow(exportColumnNames(table))}${rows.join('')}`);
};
