// Sums the postings of a settlement by currency, and by resident and currency.

import type { Int64 } from '../../../lib/values/int64.ts';
import { compareCurrencies, type CurrencySum } from '../../account/rules/rollups.ts';

type SummedPosting = { readonly currency: string; readonly amount_minor: Int64 };
type RunningSum = { readonly currency: string; count: number; debitMinor: bigint; creditMinor: bigint };

export type ResidentPeriodSum = {
  readonly residentId: number;
  readonly currency: string;
  readonly count: number;
  readonly amountMinor: bigint;
};

export class SettlementSums {
  readonly #byCurrency = new Map<string, RunningSum>();
  /** By user, then by currency. */
  readonly #byResident = new Map<number, Map<string, RunningSum>>();

  /** `residentId` is the resident that is shown, who may differ from the stored one. */
  add({ currency, amount_minor }: SummedPosting, residentId: number): void {
    const amount = BigInt(amount_minor);
    let ofResident = this.#byResident.get(residentId);
    if (ofResident === undefined) this.#byResident.set(residentId, (ofResident = new Map()));
    addAmount(this.#byCurrency, currency, amount);
    addAmount(ofResident, currency, amount);
  }

  equalTotals(totals: readonly CurrencySum[]): boolean {
    return (
      totals.length === this.#byCurrency.size &&
      totals.every(({ currency, count, debitMinor, creditMinor }) => {
        const sum = this.#byCurrency.get(currency);
        return sum?.count === count && sum.debitMinor === debitMinor && sum.creditMinor === creditMinor;
      })
    );
  }

  /** Ordered by user, then by currency; the unknown currency comes last. */
  listResidentSums(): ResidentPeriodSum[] {
    const residents = [...this.#byResident].toSorted(([a], [b]) => a - b);
    return residents.flatMap(([residentId, sums]) =>
      [...sums.values()]
        .toSorted((a, b) => compareCurrencies(a.currency, b.currency))
        .map(({ currency, count, debitMinor, creditMinor }) => ({
          residentId,
          currency,
          count,
          amountMinor: debitMinor + creditMinor,
        })),
    );
  }
}

function addAmount(sums: Map<string, RunningSum>, currency: string, amount: bigint): void {
  let sum = sums.get(currency);
  if (sum === undefined) sums.set(currency, (sum = { currency, count: 0, debitMinor: 0n, creditMinor: 0n }));
  sum.count += 1;
  if (amount < 0n) sum.debitMinor += amount;
  else sum.creditMinor += amount;
}
