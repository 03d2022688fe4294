// Formats the cells of an amount: in minor units, in the major unit of its currency, and the currency.

import { CachedCsvCells } from '../../../lib/text/csv.ts';
import { createDecimalAmountFormatter } from '../../../lib/values/decimal-amount.ts';
import type { Int64 } from '../../../lib/values/int64.ts';

/** Formats the cell of a decimal number. */
export type FormatDecimalCell = (decimal: string) => string | number;

// Prices repeat, so the cells of this many amounts of a currency are cached.
const maxCachedAmounts = 2000;

/** The cells `amountMinor`, `amount` and `currency`. The last two are empty if the currency is unknown. */
export function createAmountCells(formatDecimal: FormatDecimalCell) {
  const decimals = createDecimalAmountFormatter();
  const cellsByCurrency = new Map<string, Map<Int64, CachedCsvCells<Int64 | string | null>>>();
  return (amountMinor: Int64, currency: string): CachedCsvCells<Int64 | string | null> => {
    let ofCurrency = cellsByCurrency.get(currency);
    if (ofCurrency === undefined) cellsByCurrency.set(currency, (ofCurrency = new Map()));
    const found = ofCurrency.get(amountMinor);
    if (found !== undefined) return found;
    if (ofCurrency.size >= maxCachedAmounts) ofCurrency.clear();
    const cells = new CachedCsvCells([
      amountMinor,
      formatDecimal(decimals(amountMinor, currency)),
      currency === '' ? null : currency,
    ]);
    ofCurrency.set(amountMinor, cells);
    return cells;
  };
}
