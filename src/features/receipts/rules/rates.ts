// Shares of an amount by a configured rate, in hundredths of a percent.

const basisPointsOfWhole = 10_000;

/** A rate that can be reckoned with: above nothing, and at most all of it. */
export function findValidRate(basisPoints: number | null): number | null {
  return basisPoints !== null && basisPoints > 0 && basisPoints <= basisPointsOfWhole ? basisPoints : null;
}

/** The tax contained in a total, rounded to the nearest minor unit, halves away from zero; a refund's is negative. */
export function computeContainedTax(total: bigint, rate: number): bigint {
  const parts = BigInt(basisPointsOfWhole + rate);
  const doubled = 2n * total * BigInt(rate);
  // Division drops towards zero.
  return (doubled + (total < 0n ? -parts : parts)) / (2n * parts);
}

/** What a discount takes off a sum of purchases, rounded down; nothing off what is not above zero. */
export function computeDiscount(purchases: bigint, rate: number): bigint {
  return purchases <= 0n ? 0n : (purchases * BigInt(rate)) / BigInt(basisPointsOfWhole);
}
