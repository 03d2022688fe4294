// Formats the rows that a command lists: for other programs, and for people at a terminal.

/** Separated by tabs; a control character of a field becomes a space. */
export const formatTabbedRows = (rows: readonly (readonly string[])[]): string =>
  rows.map((fields) => `${fields.map(withoutControls).join('\t')}\n`).join('');

/** In columns, below headings unless they were printed before. */
export function formatColumns(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  isFirstPage: boolean,
): string {
  const printable = rows.map((fields) => fields.map(withoutControls));
  const shown = isFirstPage ? [headings, ...printable] : printable;
  const widths = headings.map((_, column) => Math.max(...shown.map((fields) => fields[column]?.length ?? 0)));
  const pad = (fields: readonly string[]): string =>
    fields.map((field, column) => field.padEnd(widths[column] ?? 0)).join('  ');
  return shown.map((fields) => `${pad(fields).trimEnd()}\n`).join('');
}

const withoutControls = (field: string): string => field.replaceAll(/\p{Cc}/gu, ' ');
