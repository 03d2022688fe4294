// Guesses what the values of a CSV file are separated by, and whether its amounts have a decimal comma.

import { CsvScanner, csvSeparators, type CsvSeparator } from './csv-scanner.ts';
import { UnreadableFile } from './source-row.ts';

const rowsLookedAt = 100;

/** The separator that the first line declares, and the length of that line. */
export function findDeclaredSeparator(text: string): { separator: CsvSeparator; length: number } | undefined {
  const [line, declared] = /^sep=(.)(?:\r\n|\r|\n|$)/i.exec(text) ?? [];
  if (line === undefined) return undefined;
  const separator = csvSeparators.find((each) => each === declared);
  if (separator === undefined)
    throw new UnreadableFile('separator-not-supported', 1, 'Line 1 declares a separator other than ; , or a tab.');
  return { separator, length: line.length };
}

type Candidate = { readonly separator: CsvSeparator; readonly columns: number; readonly consistency: number };

/** Throws if two separators are equally likely. A file of one column has the comma, as good as any other. */
export function detectSeparator(text: string): CsvSeparator {
  const [best, second] = csvSeparators
    .map((separator) => weigh(text, separator))
    .filter(({ columns }) => columns > 1)
    .toSorted((a, b) => b.consistency - a.consistency || b.columns - a.columns);
  if (best === undefined) return ',';
  if (second?.consistency === best.consistency && second.columns === best.columns)
    throw new UnreadableFile('separator-ambiguous', 1, 'The cells could be separated in two ways. Name the separator.');
  return best.separator;
}

/** The cells of the first row, and the share of rows that have as many. */
function weigh(text: string, separator: CsvSeparator): Candidate {
  const scanner = new CsvScanner(separator);
  const counts: number[] = [];
  for (let index = 0; index < text.length && counts.length < rowsLookedAt; index = scanner.next) {
    if (scanner.scan(text, index, false) !== 'row') break;
    if (!scanner.isBlank) counts.push(scanner.cells.length);
  }
  // A first row that the text does not have as a whole is still one.
  const [columns = scanner.cells.length] = counts;
  const same = counts.filter((count) => count === columns).length;
  return { separator, columns, consistency: counts.length === 0 ? 0 : same / counts.length };
}

const withComma = /^[+-]?(?:\d+|\d{1,3}(?:[. \u00A0\u202F]\d{3})+),\d{1,2}-?$/;
const withPoint = /^[+-]?(?:\d+|\d{1,3}(?:[, \u00A0\u202F]\d{3})+)\.\d{1,2}-?$/;

/** Undecided if no text shows it, or texts contradict each other. `1.234` shows nothing. */
export function detectDecimalComma(texts: Iterable<string>): boolean | null {
  let hasComma = false;
  let hasPoint = false;
  for (const text of texts) {
    hasComma ||= withComma.test(text);
    hasPoint ||= withPoint.test(text);
  }
  return hasComma === hasPoint ? null : hasComma;
}
