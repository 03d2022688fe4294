// Writes CSV for spreadsheets and programs (RFC 4180): quoted cells, commas, CRLF, a byte order mark. A text that a
// spreadsheet would take for a formula gets an apostrophe; numbers are unchanged.

export type CsvCell = string | number | bigint | boolean | null | undefined;

/** Adjacent cells that many rows have: their text is formatted once. */
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

/** A cell that needs no check, such as a KID: its text stands between the quotes as it is. */
export class PlainCsvCell {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Who reads a CSV. */
export const csvReaders = ['spreadsheets', 'programs'] as const;
export type CsvReader = (typeof csvReaders)[number];

/** A text for programs, as it is: a spreadsheet may take it for a formula. */
export const unguardedCsvCell = (text: string): PlainCsvCell => new PlainCsvCell(escapeCsvQuotes(text));

/** What stands between the quotes of a text for programs. */
export const escapeCsvQuotes = (text: string): string => text.replaceAll('"', '""');

/** What a row is made of, in the order of its cells. */
export type CsvRowPart = CsvCell | PlainCsvCell | CachedCsvCells;

/** Comes before the first row: without it, spreadsheets read UTF-8 as another encoding. */
export const csvBom = '\uFEFF';

/** A text that is a number is read as one, whatever its sign: an amount, or a phone number such as +4512345678. */
const plainNumber = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** A formula begins with one of `=+-@`, or with a character that Unicode (NFKC) takes for it, such as a full-width one. */
const formulaStart =
  '[=+\\-@\u207A\u207C\u208A\u208C\u2A75\u2A76\uFB29\uFE62\uFE63\uFE66\uFE6B\uFF0B\uFF0D\uFF1D\uFF20]';

/** Characters that show nothing. What stands before the first visible character does not keep it from starting a formula. */
const invisible = '\\p{Default_Ignorable_Code_Point}\\p{Cc}\\p{Cf}\\p{White_Space}';

const leadingFormula = new RegExp(`^(?:[\\t\\r]|[${invisible}]*${formulaStart})`, 'u');

/**
 * Spreadsheets of many languages part cells by semicolons (or tabs, if told so). They understand only the quotes of the
 * first cell, so that a separator or line break inside of a later cell starts another one, and quotes after it are none.
 * The formula is optional, so that each character is looked at once.
 */
const innerCellStart = new RegExp(`[;\\t\\r\\n]["${invisible}]*(${formulaStart})?`, 'gu');

/** By character code: 1 for quotes, and for what starts another cell. */
const specialCharacters = new Uint8Array(64);
for (const character of '";\t\r\n') specialCharacters[character.charCodeAt(0)] = 1;

/** Most cells are plain: they begin with a letter or digit, and have no special character. A loop is faster than a pattern. */
function isPlain(cell: string): boolean {
  if (!isLetterOrDigit(cell.charCodeAt(0))) return cell === '';
  for (let index = 1; index < cell.length; index += 1) {
    const code = cell.charCodeAt(index);
    if (code < specialCharacters.length && specialCharacters[code] === 1) return false;
  }
  return true;
}

/** Only letters of the Latin alphabets. */
const isLetterOrDigit = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a) || (code >= 0xc0 && code < 0x250);

/** One row, its line end included. Missing, null and empty cells are the same empty cell. */
export const formatCsvRow = (parts: readonly CsvRowPart[]): string => `"${formatCells(parts)}"\r\n`;

/**
 * Formats cells without the quotes at both ends. Each step joins as few strings as possible: files have millions of
 * cells.
 */
function formatCells(parts: readonly CsvRowPart[]): string {
  let text = formatCell(parts[0]);
  for (let index = 1; index < parts.length; index += 1) text += `","${formatCell(parts[index])}`;
  return text;
}

/** A text that is larger lives on until memory is cleaned up as a whole. */
const minChunkCharacters = 65_536;

/** Rows joined to texts that are large enough to be passed on, and no larger than necessary. */
export const formatCsvChunks = (rows: Iterable<readonly CsvRowPart[]>): Generator<string> =>
  joinCsvRows(rows, formatCsvRow);

/** Joins rows that are formatted in another way. */
export function* joinCsvRows<T>(rows: Iterable<T>, formatRow: (row: T) => string): Generator<string> {
  let text = '';
  for (const row of rows) {
    text += formatRow(row);
    if (text.length < minChunkCharacters) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

/** What stands between the quotes. */
function formatCell(cell: CsvRowPart): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell !== 'string') return typeof cell === 'object' ? cell.text : String(cell);
  return formatCsvText(cell);
}

/** What stands between the quotes of a text. */
export const formatCsvText = (text: string): string => (isPlain(text) ? text : escapeCsvQuotes(guardFormulas(text)));

/** The text with an apostrophe at its beginning if it could be a formula, and before each formula further inside. */
export function guardFormulas(text: string): string {
  if (plainNumber.test(text)) return text;
  const guarded = text.replaceAll(innerCellStart, (run: string, start: string | undefined) =>
    start === undefined ? run : `${run.slice(0, -start.length)}'${start}`,
  );
  return leadingFormula.test(text) ? `'${guarded}` : guarded;
}

const guardedCellStart = new RegExp(`([;\\t\\r\\n]["${invisible}]*)'(${formulaStart})`, 'gu');

/**
 * The text that was guarded. A text that had such apostrophes before it was guarded loses them: a guarded text does not
 * tell whose they are.
 */
export function unguardFormulas(guarded: string): string {
  if (!guarded.includes("'")) return guarded;
  const inner = guarded.replaceAll(guardedCellStart, '$1$2');
  const text = inner.startsWith("'") && leadingFormula.test(inner.slice(1)) ? inner.slice(1) : inner;
  return guardFormulas(text) === guarded ? text : guarded;
}
