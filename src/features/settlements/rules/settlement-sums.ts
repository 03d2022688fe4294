// Sums the postings of a settlement by currency, and by resident and currency.

import type { Int64 } from '../../../lib/int64.ts';
import { compareCurrencies, type CurrencyTotal } from '../../account/rules/rollups.ts';

type SummedPosting = { readonly currency: string; readonly amount_minor: Int64 };
type CurrencySum = { readonly currency: string; count: number; debitMinor: bigint; creditMinor: bigint };

export type ResidentSum = {
  readonly userId: number;
  readonly currency: string;
  readonly count: number;
  readonly amountMinor: bigint;
};

export class SettlementSums {
  readonly #byCurrency = new Map<string, CurrencySum>();
  /** By user, then by currency. */
  readonly #byUser = new Map<number, Map<string, CurrencySum>>();

  /** `userId` is the user that is shown, which may differ from the stored one. */
  add({ currency, amount_minor }: SummedPosting, userId: number): void {
    const amount = BigInt(amount_minor);
    let ofUser = this.#byUser.get(userId);
    if (ofUser === undefined) this.#byUser.set(userId, (ofUser = new Map()));
    addAmount(this.#byCurrency, currency, amount);
    addAmount(ofUser, currency, amount);
  }

  equalTotals(totals: readonly CurrencyTotal[]): boolean {
    return (
      totals.length === this.#byCurrency.size &&
      totals.every(({ currency, count, debitMinor, creditMinor }) => {
        const sum = this.#byCurrency.get(currency);
        return sum?.count === count && sum.debitMinor === debitMinor && sum.creditMinor === creditMinor;
      })
    );
  }

  /** Ordered by user, then by currency; the unknown currency comes last. */
  listResidentSums(): ResidentSum[] {
    const users = [...this.#byUser].toSorted(([a], [b]) => a - b);
    return users.flatMap(([userId, sums]) =>
      [...sums.values()]
        .toSorted((a, b) => compareCurrencies(a.currency, b.currency))
        .map(({ currency, count, debitMinor, creditMinor }) => ({
          userId,
          currency,
          count,
          amountMinor: debitMinor + creditMinor,
        })),
    );
  }
}

function addAmount(sums: Map<string, CurrencySum>, currency: string, amount: bigint): void {
  let sum = sums.get(currency);
  if (sum === undefined) sums.set(currency, (sum = { currency, count: 0, debitMinor: 0n, creditMinor: 0n }));
  sum.count += 1;
  if (amount < 0n) sum.debitMinor += amount;
  else sum.creditMinor += amount;
}
