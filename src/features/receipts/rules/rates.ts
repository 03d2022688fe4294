// Computes taxes and discounts by a configured rate, in hundredths of a percent.

const basisPointsOfWhole = 10_000;

/** The rate if it is more than 0 and at most 100 percent, otherwise null. */
export const findValidRate = (basisPoints: number | null): number | null =>
  basisPoints !== null && basisPoints > 0 && basisPoints <= basisPointsOfWhole ? basisPoints : null;

/** The tax contained in a total, rounded to the nearest minor unit, halves away from zero; a refund's is negative. */
export function computeContainedTax(total: bigint, rate: number): bigint {
  const parts = BigInt(basisPointsOfWhole + rate);
  const doubled = 2n * total * BigInt(rate);
  // The division truncates towards zero.
  return (doubled + (total < 0n ? -parts : parts)) / (2n * parts);
}

/** The discount on a sum of purchases, rounded down; 0 if the sum is not positive. */
export const computeDiscount = (purchases: bigint, rate: number): bigint =>
  purchases <= 0n ? 0n : (purchases * BigInt(rate)) / BigInt(basisPointsOfWhole);
