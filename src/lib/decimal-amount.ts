// Formats amounts exactly in a currency's major unit, with the decimals that ISO 4217 defines.

import { toRawJson, type Int64, type RawJson } from './int64.ts';

/** Spells amounts as decimals, `-12.30`; empty where the currency is unknown. */
export function createDecimalAmountFormatter(): (minor: Int64, currency: string) => string {
  const minorUnitDigitsByCurrency = new Map<string, number>();
  return (minor, currency) => {
    if (currency === '') return '';
    let digits = minorUnitDigitsByCurrency.get(currency);
    if (digits === undefined) minorUnitDigitsByCurrency.set(currency, (digits = minorUnitDigits(currency)));
    return formatDecimal(minor, digits);
  };
}

function minorUnitDigits(currency: string): number {
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions();
  return maximumFractionDigits;
}

/** The JSON form of an amount that is counted in units of its last decimal, with every digit: 1230 is 12.30. */
export const toJsonDecimal = (amount: Int64, decimals: number): RawJson => toRawJson(formatDecimal(amount, decimals));

function formatDecimal(minor: Int64, digits: number): string {
  const text = String(minor);
  if (digits === 0) return text;
  const unsigned = (minor < 0 ? text.slice(1) : text).padStart(digits + 1, '0');
  return `${minor < 0 ? '-' : ''}${unsigned.slice(0, -digits)}.${unsigned.slice(-digits)}`;
}
