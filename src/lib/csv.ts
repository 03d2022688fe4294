// CSV as spreadsheets and programs both read it (RFC 4180): every cell quoted, commas, CRLF, a byte order mark in
// front. A text that a spreadsheet would take for a formula is defused by an apostrophe; numbers are left as they are.

export type CsvCell = string | number | bigint | boolean | null | undefined;

/** Stands before the first row: without it, spreadsheets read UTF-8 as something else. */
export const csvBom = '\uFEFF';

const formulaStarts = new Set(Array.from('=+-@\t\r', (start) => start.charCodeAt(0)));

/** A text that is a number is read as one, whatever its sign: an amount, or a phone number such as +4512345678. */
const plainNumber = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** One row, its line end included. Missing, null and empty cells are the same empty cell. */
export function csvRow([first, ...others]: readonly CsvCell[]): string {
  let row = `"${cellText(first)}`;
  // Each step joins as few strings as it can: files have millions of cells.
  for (const cell of others) row += `","${cellText(cell)}`;
  return `${row}"\r\n`;
}

/** A text that is larger lives on until memory is cleaned up as a whole. */
const chunkCharacters = 65_536;

/** Rows as texts that are worth passing on and no larger than need be. */
export function* csvChunks(rows: Iterable<readonly CsvCell[]>): Generator<string> {
  let text = '';
  for (const row of rows) {
    text += csvRow(row);
    if (text.length < chunkCharacters) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

/** What stands between the quotes. */
function cellText(cell: CsvCell): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell !== 'string') return String(cell);
  const safe = formulaStarts.has(cell.charCodeAt(0)) && !plainNumber.test(cell) ? `'${cell}` : cell;
  return safe.includes('"') ? safe.replaceAll('"', '""') : safe;
}
