// Text in blocks -> lines, none of which is too long. CRLF, LF and CR each end a line.

import { findNextLine, hasNul, maxRowLength, rowTooLong, type BrokenRow } from './source-row.ts';

export type SourceLine = { readonly line: number; readonly text: string };

/** Holds one line at most between two blocks. Empty lines are left out. */
export class LineReader {
  #rest = '';
  #line = 1;
  #isSkipping = false;

  read(block: string): (SourceLine | BrokenRow)[] {
    this.#rest += block;
    return this.#takeLines(false);
  }

  end(): (SourceLine | BrokenRow)[] {
    return this.#takeLines(true);
  }

  #takeLines(isLast: boolean): (SourceLine | BrokenRow)[] {
    const lines: (SourceLine | BrokenRow)[] = [];
    const text = this.#rest;
    let offset = 0;
    while (offset < text.length) {
      const next = findNextLine(text, offset, isLast);
      if (next === -1 && !isLast) break;
      const end = next === -1 ? text.length : next;
      if (!this.#isSkipping) this.#take(text.slice(offset, end), lines);
      this.#isSkipping = false;
      this.#line += 1;
      offset = end;
    }
    this.#rest = text.slice(offset);
    if (this.#rest.length > maxRowLength) this.#skipRest(lines);
    return lines;
  }

  #take(withBreak: string, lines: (SourceLine | BrokenRow)[]): void {
    const text = withBreak.replace(/[\r\n]+$/, '');
    if (text.length > maxRowLength) lines.push(rowTooLong(this.#line));
    else if (text.includes('\0')) lines.push(hasNul(this.#line));
    else if (text !== '') lines.push({ line: this.#line, text });
  }

  #skipRest(lines: (SourceLine | BrokenRow)[]): void {
    if (!this.#isSkipping) lines.push(rowTooLong(this.#line));
    this.#isSkipping = true;
    // The line break may have its second half in the next block.
    this.#rest = this.#rest.endsWith('\r') ? '\r' : '';
  }
}
