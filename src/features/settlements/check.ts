// For `verify ledger`: every settlement's totals, of the bank and of each of its locations, are what its postings come to.

import type { LedgerCheck, Posting } from '../account/verify/check.ts';
import { addShares } from '../account/rules/rollups.ts';
import { readLocationShares, readPeriodShares, type PeriodShare } from './queries/periods.ts';

type Sum = { count: number; debitMinor: bigint; creditMinor: bigint };

export const settlementCheck: LedgerCheck = ({ db, bankId, tell }) => {
  const computed = new Map<string, Sum>();
  const periods = new Set<number>();
  const add = (key: string, amount: bigint): void => {
    const sum = computed.get(key) ?? { count: 0, debitMinor: 0n, creditMinor: 0n };
    computed.set(key, sum);
    sum.count += 1;
    if (amount < 0n) sum.debitMinor += amount;
    else sum.creditMinor += amount;
  };
  const compare = (shares: readonly PeriodShare[]): void => {
    for (const [place, ofPlace] of Map.groupBy(shares, placeOf))
      for (const total of addShares(ofPlace).totals) {
        const key = `${place}${inCurrency(total)}`;
        const sum = computed.get(key);
        computed.delete(key);
        if (inWords(sum) !== inWords(total)) differs(key, inWords(total), inWords(sum));
      }
  };
  const differs = (key: string, stored: string | undefined, wanted: string | undefined): void =>
    tell({ kind: 'settlement', key, stored, computed: wanted });
  return {
    postings: (rows) => {
      for (const row of rows) {
        periods.add(row.period);
        for (const place of placesOf(row)) add(`${place}${inCurrency(row)}`, BigInt(row.amount_minor));
      }
    },
    end: async () => {
      const shares = await readPeriodShares(db, bankId);
      for (const { period } of shares) periods.add(period);
      compare(shares);
      for (const period of periods) compare(await readLocationShares(db, bankId, period));
      for (const [key, sum] of computed) differs(key, undefined, inWords(sum));
      return { settlements: periods.size };
    },
  };
};

const placeOf = ({ period, location_id }: { readonly period: number; readonly location_id: number }): string =>
  location_id === 0 ? `period ${period}` : `period ${period}, location ${location_id}`;

const placesOf = ({ period, location_id }: Posting): string[] =>
  [...new Set([0, location_id])].map((location) => placeOf({ period, location_id: location }));

const inCurrency = ({ currency }: { readonly currency: string }): string => (currency === '' ? '' : ` in ${currency}`);

function inWords(sum: Sum | undefined): string | undefined {
  return sum && `${sum.count} postings, ${sum.debitMinor} and ${sum.creditMinor}`;
}
