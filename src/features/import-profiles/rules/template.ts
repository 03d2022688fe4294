// The template of a kind: a file with the columns and an example, to be filled in with a spreadsheet.

import { csvBom, guardFormulas } from '../../../lib/text/csv.ts';
import type { ImportColumn } from '../../import-kinds/import-kind.ts';
import { keyColumns } from './default-profile.ts';

/** Spreadsheets part cells by commas in countries that write a decimal with a point, elsewhere by semicolons. */
const separatorOf = (country: string): string => (['GB', 'IE', 'US'].includes(country) ? ',' : ';');

/** UTF-8 with a byte order mark, which spreadsheets need. */
export function formatTemplate({ columns }: { readonly columns: readonly ImportColumn[] }, country: string): string {
  const separator = separatorOf(country);
  const all = [...keyColumns, ...columns];
  const rows = [all.map(({ field }) => field), all.map(({ example }) => guardFormulas(example))];
  const formatCell = (text: string): string =>
    text.includes(separator) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  return csvBom + rows.map((cells) => `${cells.map(formatCell).join(separator)}\r\n`).join('');
}
