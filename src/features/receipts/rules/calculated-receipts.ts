// Calculates the receipts that a settlement adds without a stored posting, by period and currency of a resident:
//
// - Discount: the bank's rate of the period's purchases in kroner, rounded down. A stored discount of the period replaces
//   it. In the open period it is provisional and dated to the latest purchase; as it is unused, no balance contains it.
// - TransferToRent: in a rent bank, the amount still owed at the end of a closed period (purchases less discounts less
//   payments) is moved to the rent. A stored transfer of the period replaces it. A sum in an unknown currency is not
//   moved.
//
// If receipts do not show some postings of the period, they do not show what is calculated from them either: its sum would
// reveal them. Like those postings, it still counts in the balance.

import { receiptKinds, type ReceiptKind } from './receipt-kinds.ts';
import { computeDiscount } from './rates.ts';

/** The totals of a resident's postings of one settlement period and currency, signed as on receipts. */
export type ResidentMovements = {
  /** The stored number of the period. */
  readonly period: number;
  readonly currency: string;
  readonly totals: Readonly<Record<ReceiptKind, bigint>>;
  /** The kinds that have a posting in the period. */
  readonly kindsWithPostings: ReadonlySet<ReceiptKind>;
  /** MS2000. */
  readonly lastPurchaseAt: number | null;
  /** Whether receipts do not show some of the postings. */
  readonly hasHiddenPostings: boolean;
};

export type SettlementRules = {
  /** In hundredths of a percent; null if the bank gives no discount. */
  readonly discountRate: number | null;
  readonly movesToRent: boolean;
  readonly openPeriod: number;
  /** The end of each closed period: the first instant after it. */
  readonly periodEnds: ReadonlyMap<number, number>;
  /** Nothing before this instant is shown, MS2000. */
  readonly cutoff: number;
};

export type CalculatedReceipt = {
  readonly kind: ReceiptKind;
  readonly period: number;
  readonly currency: string;
  /** Signed as on a receipt. */
  readonly totalMinor: bigint;
  readonly at: number;
  readonly isShown: boolean;
};

const discountCurrency = 'DKK';

export const calculateReceipts = (
  movements: readonly ResidentMovements[],
  settlementRules: SettlementRules,
): CalculatedReceipt[] =>
  movements.flatMap((each) => {
    const discount = calculateDiscount(each, settlementRules);
    const transfer = calculateTransfer(each, discount, settlementRules);
    const { period, currency } = each;
    const createCalculatedReceipt = (kind: ReceiptKind, totalMinor: bigint, at: number | null): CalculatedReceipt[] =>
      totalMinor === 0n || at === null
        ? []
        : [
            {
              kind,
              period,
              currency,
              totalMinor,
              at,
              isShown: !each.hasHiddenPostings && at >= settlementRules.cutoff,
            },
          ];
    const end = settlementRules.periodEnds.get(period);
    const lastInstant = end === undefined ? null : end - 1;
    const discountAt = period === settlementRules.openPeriod ? each.lastPurchaseAt : lastInstant;
    return [
      ...createCalculatedReceipt('Discount', -discount, discountAt),
      ...createCalculatedReceipt('TransferToRent', -transfer, lastInstant),
    ];
  });

function calculateDiscount(
  { currency, kindsWithPostings, totals }: ResidentMovements,
  { discountRate }: SettlementRules,
): bigint {
  if (discountRate === null || currency !== discountCurrency || kindsWithPostings.has('Discount')) return 0n;
  return computeDiscount(totals.Purchase, discountRate);
}

function calculateTransfer(
  { period, currency, kindsWithPostings, totals }: ResidentMovements,
  discount: bigint,
  settlementRules: SettlementRules,
): bigint {
  const isOpen = period === settlementRules.openPeriod;
  if (!settlementRules.movesToRent || isOpen || currency === '' || kindsWithPostings.has('TransferToRent')) return 0n;
  const owed = receiptKinds.reduce((sum, kind) => sum + totals[kind], 0n) - discount;
  return owed > 0n ? owed : 0n;
}
