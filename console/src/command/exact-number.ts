// Numbers and amounts as people type them in their language, to the last digit: they never become a double.

/** The decimal mark of a language, such as `,`. */
export const decimalMarkOf = (locale: string): string =>
  new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.';

const typedNumber = /^[-−+]?\d+(?:[.,]\d+)?$/;

/**
 * `1 250,5` -> `1250.5`. Spaces may stand between groups of digits. A point and a comma are both decimal marks: none of
 * them may group, since a typing error would then change a number by a factor of a thousand. Undefined if it is none.
 */
export function parseDecimal(text: string): string | undefined {
  const digits = text.replaceAll(/[\s\u00a0\u202f]/g, '');
  if (!typedNumber.test(digits)) return undefined;
  const [whole = '', decimals = ''] = digits.replace(/^\+/, '').replace('−', '-').split(/[.,]/);
  const sign = whole.startsWith('-') ? '-' : '';
  const plain = whole.slice(sign.length).replace(/^0+(?=\d)/, '');
  const fraction = decimals.replace(/0+$/, '');
  const isZero = plain === '0' && fraction === '';
  return `${isZero ? '' : sign}${plain}${fraction === '' ? '' : `.${fraction}`}`;
}

export function parseInteger(text: string): string | undefined {
  const decimal = parseDecimal(text);
  return decimal === undefined || decimal.includes('.') ? undefined : decimal;
}

/** Writes a number as it can be typed again: `1250.5` -> `1250,5`. */
export const toTyped = (decimal: string | number | bigint, locale: string): string =>
  String(decimal).replace('.', decimalMarkOf(locale));

/** How many decimals amounts of a currency have. */
export const digitsOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;

/** `12,5` with 2 digits -> `1250`. Undefined if it is no amount, or has more decimals than the currency. */
export function parseMinor(text: string, digits: number): string | undefined {
  const decimal = parseDecimal(text);
  if (decimal === undefined) return undefined;
  const [whole = '', decimals = ''] = decimal.split('.');
  return decimals.length > digits
    ? undefined
    : String(BigInt(whole.replace('-', '') + decimals.padEnd(digits, '0')) * (whole.startsWith('-') ? -1n : 1n));
}
