// Writes numbers for people of any language: a comma or a point between thousands means a decimal to half of them.

const narrowSpace = '\u202F';
const minus = '\u2212';
const maxLength = 60;

/** `-48211.337` -> `−48 211.337`; four digits stand together (SI brochure, 5.4.4). Other and very long texts are left. */
export function groupDigits(text: string): string {
  // Grouping looks at all digits for each of them.
  const [, sign, whole = '', rest = ''] = text.length > maxLength ? [] : (/^(-?)(\d+)(\.\d+)?$/.exec(text) ?? []);
  if (sign === undefined) return text;
  const grouped = whole.length < 5 ? whole : whole.replaceAll(/\B(?=(?:\d{3})+$)/g, narrowSpace);
  return `${sign === '' ? '' : minus}${grouped}${rest}`;
}
