// Splits the totals of a settlement period by location and by kind.

import { kindFromCode, kinds, type Kind } from '../../account/rules/posting-kinds.ts';
import { addPartialSums, type CurrencySum, type PartialSum } from '../../account/rules/rollups.ts';

export type LocationTotals = {
  /** Null for the postings that belong to no location. */
  readonly locationId: number | null;
  readonly totals: readonly CurrencySum[];
};

/** By location id; the postings without a location come last. */
export function splitByLocation(
  periodTotals: readonly CurrencySum[],
  partialSums: readonly (PartialSum & { readonly location_id: number })[],
): LocationTotals[] {
  const sumsByLocation = [...Map.groupBy(partialSums, ({ location_id }) => location_id)].toSorted(([a], [b]) => a - b);
  const totalsWithoutLocation = subtractTotals(periodTotals, addPartialSums(partialSums).totals);
  return [
    ...sumsByLocation.map(([locationId, sums]) => ({ locationId, totals: addPartialSums(sums).totals })),
    ...(totalsWithoutLocation.length === 0 ? [] : [{ locationId: null, totals: totalsWithoutLocation }]),
  ];
}

function subtractTotals(totals: readonly CurrencySum[], subtrahends: readonly CurrencySum[]): CurrencySum[] {
  const subtrahendByCurrency = new Map(subtrahends.map((total) => [total.currency, total]));
  const differences = totals.map((total) => {
    const { count = 0, debitMinor = 0n, creditMinor = 0n } = subtrahendByCurrency.get(total.currency) ?? {};
    return {
      currency: total.currency,
      count: total.count - count,
      debitMinor: total.debitMinor - debitMinor,
      creditMinor: total.creditMinor - creditMinor,
    };
  });
  return differences.filter(({ count }) => count !== 0);
}

export type KindTotals = { readonly kind: Kind; readonly totals: readonly CurrencySum[] };

// The kinds in the usual order, the unknown kind last.
const kindOrder: readonly Kind[] = [...kinds.filter((kind) => kind !== 'Unknown'), 'Unknown'];

/** The kinds that have postings. */
export function splitByKind(partialSums: readonly (PartialSum & { readonly kind: number })[]): KindTotals[] {
  const sumsByKind = Map.groupBy(partialSums, ({ kind }) => kindFromCode(kind));
  return kindOrder.flatMap((kind) => {
    const sums = sumsByKind.get(kind);
    return sums === undefined ? [] : [{ kind, totals: addPartialSums(sums).totals }];
  });
}
