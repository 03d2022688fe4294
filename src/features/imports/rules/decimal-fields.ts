// Writes the amounts of rows with a decimal point, as files have them.

import { createCurrencyDigits, formatDecimal } from '../../../lib/decimal-amount.ts';
import type { ImportColumn } from '../kinds/import-kind.ts';
import { unknownCurrency } from './posting-fields.ts';

type Kind = { readonly columns: readonly ImportColumn[] };

/** Writes a field of a row whose amounts are in this currency. What is no amount stays as it is. */
export function createFieldWriter({ columns }: Kind): (field: string, text: string, currency: string) => string {
  const decimals = new Map(columns.map((column) => [column.field, column.decimals]));
  const digitsOf = createCurrencyDigits();
  return (field, text, currency) => {
    const places = decimals.get(field);
    const digits = places === 'currency' ? digitsOf(currency || unknownCurrency) : places;
    return digits === undefined || !/^-?\d+$/.test(text) ? text : formatDecimal(BigInt(text), digits);
  };
}

/** Whether amounts of the kind have the decimals of a currency. */
export const hasMoney = ({ columns }: Kind): boolean => columns.some(({ decimals }) => decimals === 'currency');
