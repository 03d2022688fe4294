// Tells whether the numbers of a file have a decimal comma. It decides nothing: a profile says how numbers are read.

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
