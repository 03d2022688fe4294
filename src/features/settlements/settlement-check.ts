// For `verify ledger`: every settlement's totals, of the bank and of each of its locations, are what its postings come to.

import type { LedgerCheck, StoredPosting } from '../account/verification/ledger-check.ts';
import { addPartialSums } from '../account/rules/rollups.ts';
import { listLocationPartialSums, listPeriodPartialSums, type PeriodPartialSum } from './queries/settlement-periods.ts';

type ComputedSum = { count: number; debitMinor: bigint; creditMinor: bigint };

export const settlementCheck: LedgerCheck = ({ db, bankId, report }) => {
  const computed = new Map<string, ComputedSum>();
  const periods = new Set<number>();
  const add = (key: string, amount: bigint): void => {
    const sum = computed.get(key) ?? { count: 0, debitMinor: 0n, creditMinor: 0n };
    computed.set(key, sum);
    sum.count += 1;
    if (amount < 0n) sum.debitMinor += amount;
    else sum.creditMinor += amount;
  };
  const compare = (partialSums: readonly PeriodPartialSum[]): void => {
    for (const [place, ofPlace] of Map.groupBy(partialSums, formatTotalsKey))
      for (const total of addPartialSums(ofPlace).totals) {
        const key = `${place}${formatCurrencySuffix(total)}`;
        const sum = computed.get(key);
        computed.delete(key);
        if (formatSum(sum) !== formatSum(total)) reportTotals(key, formatSum(total), formatSum(sum));
      }
  };
  const reportTotals = (key: string, stored: string | undefined, wanted: string | undefined): void =>
    report({ kind: 'settlement', key, stored, computed: wanted });
  return {
    postings: (rows) => {
      for (const row of rows) {
        periods.add(row.period);
        for (const place of listTotalsKeys(row)) add(`${place}${formatCurrencySuffix(row)}`, BigInt(row.amount_minor));
      }
    },
    end: async () => {
      const partialSums = await listPeriodPartialSums(db, bankId);
      for (const { period } of partialSums) periods.add(period);
      compare(partialSums);
      for (const period of periods) compare(await listLocationPartialSums(db, bankId, period));
      for (const [key, sum] of computed) reportTotals(key, undefined, formatSum(sum));
      return { settlements: periods.size };
    },
  };
};

const formatTotalsKey = ({ period, location_id }: { readonly period: number; readonly location_id: number }): string =>
  location_id === 0 ? `period ${period}` : `period ${period}, location ${location_id}`;

const listTotalsKeys = ({ period, location_id }: StoredPosting): string[] =>
  [...new Set([0, location_id])].map((location) => formatTotalsKey({ period, location_id: location }));

const formatCurrencySuffix = ({ currency }: { readonly currency: string }): string =>
  currency === '' ? '' : ` in ${currency}`;

function formatSum(sum: ComputedSum | undefined): string | undefined {
  return sum && `${sum.count} postings, ${sum.debitMinor} and ${sum.creditMinor}`;
}
