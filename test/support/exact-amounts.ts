// Amounts of 64 bits and sums beyond them.

export const sumAmounts = (amounts: readonly bigint[]): bigint => amounts.reduce((total, each) => total + each, 0n);

/** JSON in which every field of an amount is the bigint that its digits spell. */
export function parseExactAmounts(text: string): unknown {
  const amounts = (key: string, value: unknown, context?: { source?: string }): unknown =>
    key.endsWith('Minor') && typeof value === 'number' ? BigInt(context?.source ?? '') : value;
  return JSON.parse(text, amounts);
}
