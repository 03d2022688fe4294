// Amounts in a currency's major unit, exact: how many decimals it has is ISO 4217's to say.

import { CsvCells } from '../../lib/csv.ts';
import type { Int64 } from '../../lib/int64.ts';

/** Shows a decimal as a cell. */
export type AmountText = (decimal: string) => string | number;

// Prices come again and again; so many of a currency are remembered.
const maxAmounts = 2000;

/** The cells `amountMinor`, `amount` and `currency`; the last two are empty where the currency is unknown. */
export function exportAmounts(shown: AmountText) {
  const decimals = decimalAmounts();
  const known = new Map<string, Map<Int64, CsvCells<Int64 | string | null>>>();
  return (minor: Int64, currency: string): CsvCells<Int64 | string | null> => {
    let ofCurrency = known.get(currency);
    if (ofCurrency === undefined) known.set(currency, (ofCurrency = new Map()));
    const found = ofCurrency.get(minor);
    if (found !== undefined) return found;
    if (ofCurrency.size >= maxAmounts) ofCurrency.clear();
    const cells = new CsvCells([minor, shown(decimals(minor, currency)), currency === '' ? null : currency]);
    ofCurrency.set(minor, cells);
    return cells;
  };
}

/** Spells amounts as decimals, `-12.30`; empty where the currency is unknown. */
export function decimalAmounts(): (minor: Int64, currency: string) => string {
  const known = new Map<string, number>();
  return (minor, currency) => {
    if (currency === '') return '';
    let digits = known.get(currency);
    if (digits === undefined) known.set(currency, (digits = minorDigits(currency)));
    return decimalText(minor, digits);
  };
}

function minorDigits(currency: string): number {
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions();
  return maximumFractionDigits;
}

function decimalText(minor: Int64, digits: number): string {
  const text = String(minor);
  if (digits === 0) return text;
  const unsigned = (minor < 0 ? text.slice(1) : text).padStart(digits + 1, '0');
  return `${minor < 0 ? '-' : ''}${unsigned.slice(0, -digits)}.${unsigned.slice(-digits)}`;
}
