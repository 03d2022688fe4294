// Computes the tax that an amount contains.

/** The tax contained in an amount, with the amount's sign; null without a rate. */
export function containedVat(amountMinor: bigint, basisPoints: number | null): bigint | null {
  if (basisPoints === null) return null;
  const rate = BigInt(basisPoints);
  return (amountMinor * rate) / (10_000n + rate);
}
