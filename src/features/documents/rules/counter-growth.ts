// Computes by how much the counters of a document have grown, such as the consumption that a meter measured.

import type { SampleColumn, SampleTable } from './document-table.ts';

export type CounterGrowth = {
  readonly column: SampleColumn;
  /** Exact: `317.7`, with the decimals of the readings. */
  readonly growth: string;
};

/** A counter that has been read only once, or that went back because it was replaced, is left out; so is money, whose currency is unknown. */
export const computeCounterGrowth = ({ columns, rows }: SampleTable): CounterGrowth[] =>
  columns.flatMap((column, columnIndex) => {
    if (!column.isCounter || column.valueType === 'money') return [];
    const readings = rows.flatMap(({ cells }) => {
      const text = cells[columnIndex]?.text ?? '';
      return plainNumber.test(text) ? [text] : [];
    });
    const decimals = Math.max(0, ...readings.map((text) => text.split('.')[1]?.length ?? 0));
    const values = readings.map((text) => countOfLastDecimal(text, decimals));
    const [first, last] = [values[0], values.at(-1)];
    if (values.length < 2 || first === undefined || last === undefined) return [];
    if (values.some((value, index) => value < (values[index - 1] ?? value))) return [];
    return [{ column, growth: formatCount(last - first, decimals) }];
  });

const plainNumber = /^\d{1,15}(?:\.\d{1,9})?$/;

function countOfLastDecimal(text: string, decimals: number): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}

function formatCount(count: bigint, decimals: number): string {
  const digits = String(count).padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
