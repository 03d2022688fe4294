// Checks, for `verify ledger`, that the totals of every settlement are the sums of its postings: those of the bank and
// those of each location.

import { addPartialSums } from '../../account/rules/rollups.ts';
import type { LedgerCheck, LedgerDifference, StoredPosting } from '../../account/verification/ledger-check.ts';
import {
  listLocationPartialSums,
  listPeriodPartialSums,
  type PeriodPartialSum,
} from '../queries/settlement-periods.ts';

type ComputedSum = { count: number; debitMinor: bigint; creditMinor: bigint };

export const settlementCheck: LedgerCheck = ({ db, bank }) => {
  const periods = new Set<number>();
  /** By the name of the total. Totals are removed when they have been compared. */
  const computedSums = new Map<string, ComputedSum>();
  return {
    checkPostings(rows) {
      for (const row of rows) {
        periods.add(row.period);
        for (const name of listTotalNames(row)) addAmount(computedSums, name, BigInt(row.amount_minor));
      }
      return [];
    },
    async *finish() {
      const partialSums = await listPeriodPartialSums(db, bank);
      for (const { period } of partialSums) periods.add(period);
      yield* compareTotals(partialSums, computedSums);
      for (const period of periods) yield* compareTotals(await listLocationPartialSums(db, bank, period), computedSums);
      for (const [name, sum] of computedSums) yield toDifference(name, undefined, formatSum(sum));
    },
    counts: () => ({ settlements: periods.size }),
  };
};

function addAmount(sums: Map<string, ComputedSum>, name: string, amount: bigint): void {
  const sum = sums.get(name) ?? { count: 0, debitMinor: 0n, creditMinor: 0n };
  sums.set(name, sum);
  sum.count += 1;
  if (amount < 0n) sum.debitMinor += amount;
  else sum.creditMinor += amount;
}

function* compareTotals(
  partialSums: readonly PeriodPartialSum[],
  computedSums: Map<string, ComputedSum>,
): Generator<LedgerDifference> {
  for (const [settlement, sums] of Map.groupBy(partialSums, formatSettlementName))
    for (const total of addPartialSums(sums).totals) {
      const name = `${settlement}${formatCurrencySuffix(total)}`;
      const computed = formatSum(computedSums.get(name));
      computedSums.delete(name);
      const stored = formatSum(total);
      if (computed !== stored) yield toDifference(name, stored, computed);
    }
}

/** The totals that a posting is part of: that of the bank, and that of its location if it has one. */
const listTotalNames = ({ period, location_id, currency }: StoredPosting): string[] =>
  [...new Set([0, location_id])].map(
    (locationId) => formatSettlementName({ period, location_id: locationId }) + formatCurrencySuffix({ currency }),
  );

const formatSettlementName = ({ period, location_id }: Pick<StoredPosting, 'period' | 'location_id'>): string =>
  location_id === 0 ? `period ${period}` : `period ${period}, location ${location_id}`;

const formatCurrencySuffix = ({ currency }: Pick<StoredPosting, 'currency'>): string =>
  currency === '' ? '' : ` in ${currency}`;

const formatSum = (sum: ComputedSum | undefined): string | undefined =>
  sum && `${sum.count} postings, ${sum.debitMinor} and ${sum.creditMinor}`;

const toDifference = (key: string, stored: string | undefined, computed: string | undefined): LedgerDifference => ({
  kind: 'settlement',
  key,
  stored,
  computed,
});
