// Formats amounts exactly in a currency's major unit, with the decimals that ISO 4217 defines.

import { numberFormat } from '../time/intl-formats.ts';
import { toRawJson, type Int64, type RawJson } from './int64.ts';

/** Spells amounts as decimals, `-12.30`; empty where the currency is unknown. */
export function createDecimalAmountFormatter(): (minor: Int64, currency: string) => string {
  const digitsOf = createCurrencyDigits();
  return (minor, currency) => (currency === '' ? '' : formatDecimal(minor, digitsOf(currency)));
}

/** How many decimals ISO 4217 gives the amounts of a currency, by its code in capital letters. Each is looked up once. */
export function createCurrencyDigits(): (currency: string) => number {
  const known = new Map<string, number>();
  return (currency) => known.getOrInsertComputed(currency, currencyDigits);
}

function currencyDigits(currency: string): number {
  const { maximumFractionDigits = 2 } = numberFormat('en', { style: 'currency', currency }).resolvedOptions();
  return maximumFractionDigits;
}

/** The JSON form of an amount that is counted in units of its last decimal, with every digit: 1230 is 12.30. */
export const toJsonDecimal = (amount: Int64, decimals: number): RawJson => toRawJson(formatDecimal(amount, decimals));

/** Units of the last decimal -> a decimal with a point: -1250 with two digits is `-12.50`. */
const formatDecimal = (minor: Int64, digits: number): string => pointDecimal(String(minor), digits);

/** Writes an integer, as `String` spells it, with a decimal point. */
export function pointDecimal(integer: string, digits: number): string {
  if (digits === 0) return integer;
  const sign = integer.startsWith('-') ? '-' : '';
  const unsigned = integer.slice(sign.length).padStart(digits + 1, '0');
  return `${sign}${unsigned.slice(0, -digits)}.${unsigned.slice(-digits)}`;
}
