// Writes the amounts of rows with a decimal point, as files have them.

import { createCurrencyDigits, pointDecimal } from '../../../lib/values/decimal-amount.ts';
import type { ImportColumn } from '../import-kind.ts';

/** What ISO 4217 has for no currency: the ledger has postings whose currency is unknown. */
export const unknownCurrency = 'XXX';

type Kind = { readonly columns: readonly ImportColumn[] };

/** How many decimals a column of amounts has in a row of this currency. */
export function createColumnDigits(): (decimals: NonNullable<ImportColumn['decimals']>, currency: string) => number {
  const digitsOf = createCurrencyDigits();
  return (decimals, currency) => (decimals === 'currency' ? digitsOf(currency || unknownCurrency) : decimals);
}

/** Writes a field of a row whose amounts are in this currency. What is no amount stays as it is. */
export function createFieldWriter({ columns }: Kind): (field: string, text: string, currency: string) => string {
  const decimalsOf = new Map(columns.map((column) => [column.field, column.decimals]));
  const digitsOf = createColumnDigits();
  return (field, text, currency) => {
    const decimals = decimalsOf.get(field);
    return decimals === undefined || !/^-?\d+$/.test(text) ? text : pointDecimal(text, digitsOf(decimals, currency));
  };
}

/** Whether amounts of the kind have the decimals of a currency. */
export const hasMoney = ({ columns }: Kind): boolean =>
  columns.some(({ decimals, scaleOf }) => decimals === 'currency' || scaleOf !== undefined);
