// Text of a CSV, in blocks -> rows of cells. A row that is broken costs no other: the reader goes on at the next line.

import { CsvScanner, type CsvSeparator, type ScanOutcome } from './csv-scanner.ts';
import {
  brokenRow,
  countLineBreaks,
  findNextLine,
  hasNul,
  maxColumns,
  maxRowLength,
  rowTooLong,
  type BrokenRow,
} from './source-row.ts';

export type CsvRow = { readonly line: number; readonly cells: readonly string[] } | BrokenRow;

/** Holds one row at most between two blocks. Rows without any text are left out. */
export class CsvRowReader {
  readonly #scanner: CsvScanner;
  #rest = '';
  #line: number;
  /** Whether the rest of the line belongs to a row that was too long. */
  #isSkipping = false;
  #mayHaveNul = false;

  constructor(separator: CsvSeparator, firstLine = 1) {
    this.#scanner = new CsvScanner(separator);
    this.#line = firstLine;
  }

  read(block: string): CsvRow[] {
    this.#rest += block;
    this.#mayHaveNul ||= block.includes('\0');
    return this.#takeRows(false);
  }

  end(): CsvRow[] {
    return this.#takeRows(true);
  }

  #takeRows(isLast: boolean): CsvRow[] {
    const rows: CsvRow[] = [];
    const text = this.#rest;
    let offset = 0;
    while (offset < text.length) {
      const next = this.#isSkipping ? this.#skipLine(text, offset, isLast) : this.#takeRow(text, offset, isLast, rows);
      if (next === offset) break;
      offset = next;
    }
    this.#rest = text.slice(offset);
    return rows;
  }

  /** Returns where to go on: at the same place if more text is needed. */
  #takeRow(text: string, offset: number, isLast: boolean, rows: CsvRow[]): number {
    const scanner = this.#scanner;
    const outcome = scanner.scan(text, offset, isLast);
    const needsMore = outcome === 'incomplete' || (outcome === 'open-quote' && !isLast);
    if (needsMore && text.length - offset <= maxRowLength) return offset;
    if (outcome === 'incomplete') return this.#leaveLongRow(text, offset, rows);
    if (outcome !== 'row') return this.#leaveQuote(text, offset, outcome, isLast, rows);
    const { cells, next, quoteAt } = scanner;
    if (!scanner.isBlank) rows.push(this.#checkRow(cells, next - offset));
    this.#line += quoteAt === -1 ? 1 : countLineBreaks(text.slice(offset, next));
    return next;
  }

  #checkRow(cells: readonly string[], length: number): CsvRow {
    const line = this.#line;
    if (length > maxRowLength) return rowTooLong(line);
    if (cells.length > maxColumns)
      return brokenRow(line, 'too-many-columns', `Line ${line} has ${cells.length} cells, more than ${maxColumns}.`);
    if (this.#mayHaveNul && cells.some((cell) => cell.includes('\0'))) return hasNul(line);
    return { line, cells };
  }

  #leaveLongRow(text: string, offset: number, rows: CsvRow[]): number {
    rows.push(rowTooLong(this.#line));
    this.#isSkipping = true;
    const end = endOfRead(text);
    this.#line += countLineBreaks(text.slice(offset, end));
    return end;
  }

  /** A quote that does not end, or ends before other text, may be no quote at all: the next line is read as a row. */
  #leaveQuote(text: string, offset: number, outcome: ScanOutcome, isLast: boolean, rows: CsvRow[]): number {
    const { quoteAt } = this.#scanner;
    const line = this.#line + countLineBreaks(text.slice(offset, quoteAt));
    const next = findNextLine(text, quoteAt, isLast);
    const quote = `The quote that begins at line ${line}`;
    if (outcome === 'text-after-quote') rows.push(brokenRow(this.#line, outcome, `${quote} ends before other text.`));
    else if (next === -1 && !isLast) rows.push(rowTooLong(this.#line));
    else rows.push(brokenRow(this.#line, 'unterminated-quote', `${quote} does not end.`));
    this.#isSkipping = next === -1;
    this.#line = next === -1 ? line : line + 1;
    return next === -1 ? endOfRead(text) : next;
  }

  #skipLine(text: string, offset: number, isLast: boolean): number {
    const next = findNextLine(text, offset, isLast);
    if (next === -1) return isLast ? text.length : endOfRead(text);
    this.#isSkipping = false;
    this.#line += 1;
    return next;
  }
}

/** What is left out ends here: a line break at the end may have its second half in the next block. */
const endOfRead = (text: string): number => text.length - (text.endsWith('\r') ? 1 : 0);
