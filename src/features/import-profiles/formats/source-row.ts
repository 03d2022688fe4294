// Rows of a file that is imported, and what keeps a row, or the whole file, from being read.

/** A row that cannot be read, and why. The rows after it are read. */
export type BrokenRow = { readonly line: number; readonly problem: { readonly code: string; readonly text: string } };

/** The texts of a row, by the names of their columns. A column without a name is named for its place. */
export type ReadableRow = { readonly line: number; readonly values: ReadonlyMap<string, string> };

/** `line` is the line of the file at which the row begins, counted from 1. */
export type SourceRow = ReadableRow | BrokenRow;

/** Longer lines, and rows of several lines, are problems. In UTF-16 code units. */
export const maxRowLength = 65_536;
export const maxColumns = 200;

export const brokenRow = (line: number, code: string, text: string): BrokenRow => ({ line, problem: { code, text } });

export const rowTooLong = (line: number): BrokenRow =>
  brokenRow(line, 'row-too-long', `The row that begins at line ${line} has more than ${maxRowLength} characters.`);

export const hasNul = (line: number): BrokenRow =>
  brokenRow(line, 'nul-character', `The row that begins at line ${line} has a NUL character, which no text has.`);

/** Nothing of the file after this can be read. The message is fit for whoever sent the file. */
export class UnreadableFile extends Error {
  readonly code: string;
  readonly line: number;

  constructor(code: string, line: number, message: string) {
    super(message);
    this.name = 'UnreadableFile';
    this.code = code;
    this.line = line;
  }
}

/** CRLF, LF and CR each break a line. */
export function countLineBreaks(text: string): number {
  let count = 0;
  for (let index = text.indexOf('\n'); index !== -1; index = text.indexOf('\n', index + 1)) count += 1;
  for (let index = text.indexOf('\r'); index !== -1; index = text.indexOf('\r', index + 1))
    if (text.charCodeAt(index + 1) !== 10) count += 1;
  return count;
}

/** Returns where the next line begins; -1 if the text ends before it is known. */
export function findNextLine(text: string, from: number, isLast: boolean): number {
  for (let index = from; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 10) return index + 1;
    if (code !== 13) continue;
    if (index + 1 === text.length && !isLast) return -1;
    return text.charCodeAt(index + 1) === 10 ? index + 2 : index + 1;
  }
  return -1;
}
