// Writes CSV for spreadsheets and programs (RFC 4180): quoted cells, commas, CRLF, a byte order mark. A text that a
// spreadsheet would take for a formula gets a leading apostrophe; numbers are unchanged.

export type CsvCell = string | number | bigint | boolean | null | undefined;

/** Cells that stand side by side in many rows: what they are in a file is written once. */
export class CachedCsvCells<T extends CsvCell = CsvCell> {
  readonly cells: readonly T[];
  #text: string | undefined;

  constructor(cells: readonly T[]) {
    this.cells = cells;
  }

  get text(): string {
    return (this.#text ??= formatCells(this.cells));
  }
}

/** What a row is made of, in the order of its cells. */
export type CsvRowPart = CsvCell | CachedCsvCells;

/** Stands before the first row: without it, spreadsheets read UTF-8 as something else. */
export const csvBom = '\uFEFF';

const formulaPrefixes = new Set(Array.from('=+-@\t\r', (start) => start.charCodeAt(0)));

/** A text that is a number is read as one, whatever its sign: an amount, or a phone number such as +4512345678. */
const plainNumber = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** One row, its line end included. Missing, null and empty cells are the same empty cell. */
export const formatCsvRow = (parts: readonly CsvRowPart[]): string => `"${formatCells(parts)}"\r\n`;

/** Without the quotes at both ends. Each step joins as few strings as possible: files have millions of cells. */
function formatCells(parts: readonly CsvRowPart[]): string {
  let text = formatCell(parts[0]);
  for (let at = 1; at < parts.length; at += 1) text += `","${formatCell(parts[at])}`;
  return text;
}

/** A text that is larger lives on until memory is cleaned up as a whole. */
const minChunkCharacters = 65_536;

/** Rows as texts that are worth passing on and no larger than need be. */
export function* formatCsvChunks(rows: Iterable<readonly CsvRowPart[]>): Generator<string> {
  let text = '';
  for (const row of rows) {
    text += formatCsvRow(row);
    if (text.length < minChunkCharacters) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

/** What stands between the quotes. */
function formatCell(cell: CsvRowPart): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell !== 'string') return cell instanceof CachedCsvCells ? cell.text : String(cell);
  const safe = formulaPrefixes.has(cell.charCodeAt(0)) && !plainNumber.test(cell) ? `'${cell}` : cell;
  return safe.includes('"') ? safe.replaceAll('"', '""') : safe;
}
