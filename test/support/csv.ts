// CSV as others read it: a parser written from RFC 4180, the package csv-parse, and spreadsheets of any language, which
// look for formulas.

import { parse } from 'csv-parse/sync';

const quotedCell = /"((?:[^"]|"")*)"/y;
const plainCell = /[^",\r\n]*/y;

/** Rows of cells. Knows quotes, commas and CRLF, and refuses everything else that RFC 4180 does. */
export function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    const cell = text[at] === '"' ? quotedCell : plainCell;
    cell.lastIndex = at;
    const [whole = '', quoted] = cell.exec(text) ?? [];
    row.push(quoted?.replaceAll('""', '"') ?? whole);
    at += whole.length;
    if (text[at] === ',') at += 1;
    else if (text.startsWith('\r\n', at)) {
      rows.push(row);
      row = [];
      at += 2;
    } else throw new Error(`neither a comma nor a line end at ${at}: ${JSON.stringify(text.slice(at, at + 20))}`);
  }
  if (row.length > 0) throw new Error('the last row has no line end');
  return rows;
}

/** The rows as objects, named by the first; refuses a file without a byte order mark, or with a ragged row. */
export function readCsvTable(bytes: Buffer): Record<string, string>[] {
  const [mark, text] = [bytes.subarray(0, 3), bytes.subarray(3).toString('utf8')];
  if (mark.toString('hex') !== 'efbbbf') throw new Error('no byte order mark');
  const [names = [], ...rows] = readCsv(text);
  return rows.map((cells) => {
    if (cells.length !== names.length) throw new Error(`${cells.length} cells under ${names.length} names`);
    const row: Record<string, string> = {};
    for (const [column, name] of names.entries()) row[name] = cells[column] ?? '';
    return row;
  });
}

/**
 * The cells as a spreadsheet with this separator reads them. Quotes count at the beginning of a cell; the text after
 * the closing quote belongs to the cell, up to the next separator or line break.
 */
export function splitLikeSpreadsheet(text: string, separator: ',' | ';' | '\t'): string[] {
  const cells: string[] = [];
  let at = 0;
  while (at < text.length) {
    let cell = '';
    if (text[at] === '"')
      for (at += 1; at < text.length; at += 1) {
        if (text[at] === '"' && text[at + 1] !== '"') {
          at += 1;
          break;
        }
        if (text[at] === '"') at += 1;
        cell += text[at];
      }
    for (; at < text.length && ![separator, '\r', '\n'].includes(text[at] ?? ''); at += 1) cell += text[at];
    cells.push(cell);
    at += 1;
  }
  return cells;
}

/** Blanks, controls, and characters that take no room, those among letters and marks included. */
const hidden =
  /[\uFE00-\uFE0F]|[\s\p{Cc}\p{Cf}\p{Z}\u034F\u115F\u1160\u17B4\u17B5\u180B-\u180F\u2065\u3164\uFFA0\uFFF0-\uFFF8\u{E0000}-\u{E0FFF}]/u;

const startsFormula = (character: string): boolean => /^[=+\-@]/.test(character.normalize('NFKC'));

const looksLikeFormula = (text: string): boolean =>
  startsFormula(Array.from(text).find((character) => !hidden.test(character)) ?? '');

/** Whether a spreadsheet could run this cell: its first visible character begins a formula, and it is not a number. */
export const couldBeFormula = (cell: string): boolean => looksLikeFormula(cell) && !Number.isFinite(Number(cell));

/** The form of a text in a CSV, computed character by character. */
export function guardText(text: string): string {
  if (/^[+-]?(\d+|\d*\.\d+)([eE][+-]?\d+)?$/.test(text)) return text;
  let guarded = /^[\t\r]/.test(text) || looksLikeFormula(text) ? "'" : '';
  let isInnerStart = false;
  for (const character of text) {
    if (isInnerStart && startsFormula(character)) guarded += "'";
    if (/[;\t\r\n]/.test(character)) isInnerStart = true;
    else if (character !== '"' && !hidden.test(character)) isInnerStart = false;
    guarded += character;
  }
  return guarded;
}

/** Rows of cells, as the package csv-parse reads these bytes. */
export const parseCsv = (bytes: Buffer): string[][] => parse(bytes, { bom: true, relax_column_count: true });
