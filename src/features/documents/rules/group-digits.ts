// Formats numbers for readers of any language. Spaces separate thousands, because commas and points are decimal
// separators in some languages.

const narrowSpace = '\u202F';
const minus = '\u2212';
const maxLength = 60;

/**
 * `-48211.337` -> `−48 211.337`; four digits are not separated (SI brochure, 5.4.4). Other and very long texts are not
 * changed.
 */
export function groupDigits(text: string): string {
  // The time of grouping is quadratic in the number of digits.
  const [, sign, whole = '', rest = ''] = text.length > maxLength ? [] : (/^(-?)(\d+)(\.\d+)?$/.exec(text) ?? []);
  if (sign === undefined) return text;
  const grouped = whole.length < 5 ? whole : whole.replaceAll(/\B(?=(?:\d{3})+$)/g, narrowSpace);
  return `${sign === '' ? '' : minus}${grouped}${rest}`;
}
