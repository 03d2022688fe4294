// Finds the cells of one row of CSV (RFC 4180) in a text. Quotes count at the beginning of a cell; elsewhere they are
// characters like others, as in spreadsheets.

export const csvSeparators = [';', ',', '\t'] as const;
export type CsvSeparator = (typeof csvSeparators)[number];

/** `incomplete` and `open-quote`: the text ends before the row does, the latter within quotes. */
export type ScanOutcome = 'row' | 'incomplete' | 'open-quote' | 'text-after-quote';

const quote = 34;
const lineFeed = 10;
const carriageReturn = 13;

/** Its properties tell of the row that was scanned last. */
export class CsvScanner {
  cells: string[] = [];
  /** The position at which the next row begins. */
  next = 0;
  /** The position at which the last quoted cell begins; -1 if there is none. */
  quoteAt = -1;
  readonly #separator: number;

  constructor(separator: CsvSeparator) {
    this.#separator = separator.charCodeAt(0);
  }

  /** Whether the row has no text, and no quotes around it. */
  get isBlank(): boolean {
    return this.quoteAt === -1 && this.cells.every((cell) => cell === '');
  }

  /** `isLast`: no text will follow. */
  scan(text: string, start: number, isLast: boolean): ScanOutcome {
    this.cells = [];
    this.quoteAt = -1;
    for (let index = start; ; index += 1) {
      if (text.charCodeAt(index) === quote) {
        index = this.#scanQuotedCell(text, index);
        if (index === -1) return 'open-quote';
      } else index = this.#scanPlainCell(text, index);
      // A quote or line feed could follow.
      if (index === text.length && !isLast) return 'incomplete';
      const code = index === text.length ? lineFeed : text.charCodeAt(index);
      if (code === this.#separator) continue;
      if (code === lineFeed) this.next = Math.min(index + 1, text.length);
      else if (code !== carriageReturn) return 'text-after-quote';
      else if (index + 1 === text.length && !isLast) return 'incomplete';
      else this.next = text.charCodeAt(index + 1) === lineFeed ? index + 2 : index + 1;
      return 'row';
    }
  }

  /** Returns where the cell ends. */
  #scanPlainCell(text: string, start: number): number {
    let offset = start;
    for (; offset < text.length; offset += 1) {
      const code = text.charCodeAt(offset);
      if (code === this.#separator || code === lineFeed || code === carriageReturn) break;
    }
    this.cells.push(text.slice(start, offset));
    return offset;
  }

  /** Returns where the closing quote ends; -1 without one. */
  #scanQuotedCell(text: string, start: number): number {
    this.quoteAt = start;
    let hasQuotes = false;
    for (let from = start + 1; ;) {
      const index = text.indexOf('"', from);
      if (index === -1) return -1;
      if (text.charCodeAt(index + 1) === quote) {
        hasQuotes = true;
        from = index + 2;
        continue;
      }
      const cell = text.slice(start + 1, index);
      this.cells.push(hasQuotes ? cell.replaceAll('""', '"') : cell);
      return index + 1;
    }
  }
}
