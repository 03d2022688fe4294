// What a settlement's postings come to: by currency, and by resident and currency.

import { currencyOrder, type CurrencyTotal } from '../account/rules/rollups.ts';
import type { SettledRow } from './queries/postings.ts';

type Sum = { readonly currency: string; count: number; debitMinor: bigint; creditMinor: bigint };

export type ResidentSum = {
  readonly userId: number;
  readonly currency: string;
  readonly count: number;
  readonly amountMinor: bigint;
};

export class SettlementSums {
  readonly #byCurrency = new Map<string, Sum>();
  /** By user, then by currency. */
  readonly #byUser = new Map<number, Map<string, Sum>>();

  /** `userId` is the one shown. */
  add({ currency, amount_minor }: Pick<SettledRow, 'currency' | 'amount_minor'>, userId: number): void {
    const amount = BigInt(amount_minor);
    let ofUser = this.#byUser.get(userId);
    if (ofUser === undefined) this.#byUser.set(userId, (ofUser = new Map()));
    addTo(this.#byCurrency, currency, amount);
    addTo(ofUser, currency, amount);
  }

  areTotals(totals: readonly CurrencyTotal[]): boolean {
    return (
      totals.length === this.#byCurrency.size &&
      totals.every(({ currency, count, debitMinor, creditMinor }) => {
        const sum = this.#byCurrency.get(currency);
        return sum?.count === count && sum.debitMinor === debitMinor && sum.creditMinor === creditMinor;
      })
    );
  }

  /** By user, then by currency, the unknown one last. */
  residents(): ResidentSum[] {
    const users = [...this.#byUser].toSorted(([a], [b]) => a - b);
    return users.flatMap(([userId, sums]) =>
      [...sums.values()]
        .toSorted((a, b) => currencyOrder(a.currency, b.currency))
        .map(({ currency, count, debitMinor, creditMinor }) => ({
          userId,
          currency,
          count,
          amountMinor: debitMinor + creditMinor,
        })),
    );
  }
}

function addTo(sums: Map<string, Sum>, currency: string, amount: bigint): void {
  let sum = sums.get(currency);
  if (sum === undefined) sums.set(currency, (sum = { currency, count: 0, debitMinor: 0n, creditMinor: 0n }));
  sum.count += 1;
  if (amount < 0n) sum.debitMinor += amount;
  else sum.creditMinor += amount;
}
