// The cells of an amount: in minor units, in the major unit of its currency, and the currency.

import { CsvCells } from '../../lib/csv.ts';
import { decimalAmounts } from '../../lib/decimal-amount.ts';
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
