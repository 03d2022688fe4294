// The content of a cell: a number, or a text that stays a text.

export type Cell = string | number | bigint | boolean | null;

/** Spreadsheets calculate with doubles, of which they keep fifteen digits. */
const maxExactDigits = 15;

/** The number that a decimal text denotes, if a spreadsheet keeps all its digits; otherwise the text itself. */
export function parseDecimalOrText(text: string): number | string {
  const isDecimal = /^-?\d+(?:\.\d+)?$/.test(text);
  return isDecimal && text.replaceAll(/[-.]/g, '').length <= maxExactDigits ? Number(text) : text;
}
