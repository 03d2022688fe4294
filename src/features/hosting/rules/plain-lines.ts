// Converts log lines to plain text without control characters and escape sequences, and limits their number and size.

import { stripVTControlCharacters } from 'node:util';

export const maxLines = 100;
export const maxBytes = 256 * 1024;

type PlainLines = { readonly lines: string[]; readonly truncated: boolean };

/** The newest lines, which are the last ones, as plain text. */
export const toPlainLines = (lines: readonly string[], isTruncated = false): PlainLines =>
  takeNewest(
    { lines: lines.slice(-maxLines).map(toPlainText), truncated: isTruncated || lines.length > maxLines },
    { maxLines, maxBytes },
  );

/** The newest lines, unchanged. The size of a line includes its line end. A single line that is too large is cut. */
export function takeNewest(
  { lines, truncated }: { readonly lines: readonly string[]; readonly truncated: boolean },
  { maxLines: mostLines, maxBytes: mostBytes }: { readonly maxLines: number; readonly maxBytes: number },
): PlainLines {
  const newest = lines.slice(-mostLines);
  const kept: string[] = [];
  let leftBytes = mostBytes;
  for (const line of newest.toReversed()) {
    const bytes = Buffer.byteLength(line) + 1;
    if (bytes > leftBytes) {
      if (kept.length === 0) kept.push(cutToBytes(line, mostBytes - 1));
      break;
    }
    leftBytes -= bytes;
    kept.push(line);
  }
  const isCut = lines.length > kept.length || kept[0] !== newest.at(-1);
  return { lines: kept.toReversed(), truncated: truncated || isCut };
}

/** Control characters, and those that change the direction of the text after them, which could disguise it. */
const controlPattern = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu;

export const toPlainText = (line: string): string =>
  stripVTControlCharacters(line)
    .replaceAll('\t', ' ')
    .replaceAll(controlPattern, '')
    // A lone surrogate has no UTF-8.
    .toWellFormed();

/** The first characters whose UTF-8 has at most so many bytes. */
function cutToBytes(text: string, most: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(most));
  return text.slice(0, read);
}
