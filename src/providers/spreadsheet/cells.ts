// The content of a cell: a number, or a text that stays a text.

export type Cell = string | number | bigint | boolean | null;

/** A spreadsheet counts in doubles, of which it keeps fifteen digits. */
const maxExactDigits = 15;

/** The number that a decimal spells, where a spreadsheet keeps all its digits; otherwise the text itself. */
export function parseDecimalOrText(text: string): number | string {
  const isDecimal = /^-?\d+(?:\.\d+)?$/.test(text);
  return isDecimal && text.replaceAll(/[-.]/g, '').length <= maxExactDigits ? Number(text) : text;
}
