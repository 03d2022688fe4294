// The receipts that a settlement implies though no posting was stored for them, per period and currency of a resident:
//
// - Discount: the bank's rate off the period's purchases, in kroner alone, rounded down. Where the period holds a stored
//   discount, that one counts. The open period's is provisional, as of the latest purchase in it.
// - TransferToRent: in a rent bank, what is still owed at the end of a closed period (its purchases, less discounts, less
//   payments) is moved to the rent, so that the period's receipts come to zero. Where the period holds a stored
//   transfer, that one counts. A sum in an unknown currency is moved nowhere.
//
// A line is told only while every posting behind it is: once some of them have lost their identity, no sum tells of it.

import { receiptKinds, type ReceiptKind } from './receipt-kinds.ts';
import { computeDiscount } from './rates.ts';

/** What a resident's postings of one settlement period in one currency come to, as receipts show it. */
export type ResidentMovements = {
  /** As stored. */
  readonly period: number;
  readonly currency: string;
  readonly totals: Readonly<Record<ReceiptKind, bigint>>;
  /** The kinds that the period holds a posting of. */
  readonly kindsWithPostings: ReadonlySet<ReceiptKind>;
  /** MS2000. */
  readonly lastPurchaseAt: number | null;
  /** Some of the postings are no longer the resident's to see. */
  readonly hasHiddenPostings: boolean;
};

export type SettlementRules = {
  /** In hundredths of a percent; null where the bank gives none. */
  readonly discountRate: number | null;
  readonly movesToRent: boolean;
  readonly openPeriod: number;
  /** The instant at which each closed period ended: the first that is no longer in it. */
  readonly periodEnds: ReadonlyMap<number, number>;
};

export type CalculatedReceipt = {
  readonly kind: ReceiptKind;
  readonly period: number;
  readonly currency: string;
  /** Signed as on a receipt. */
  readonly totalMinor: bigint;
  readonly at: number;
};

export const discountCurrency = 'DKK';

export function calculateReceipts(
  movements: readonly ResidentMovements[],
  settlementRules: SettlementRules,
): CalculatedReceipt[] {
  return movements.flatMap((each) => {
    if (each.hasHiddenPostings) return [];
    const discount = calculateDiscount(each, settlementRules);
    const transfer = calculateTransfer(each, discount, settlementRules);
    const { period, currency } = each;
    const createCalculatedReceipt = (kind: ReceiptKind, totalMinor: bigint, at: number | null): CalculatedReceipt[] =>
      totalMinor === 0n || at === null ? [] : [{ kind, period, currency, totalMinor, at }];
    const end = settlementRules.periodEnds.get(period);
    const lastInstant = end === undefined ? null : end - 1;
    const discountAt = period === settlementRules.openPeriod ? each.lastPurchaseAt : lastInstant;
    return [
      ...createCalculatedReceipt('Discount', -discount, discountAt),
      ...createCalculatedReceipt('TransferToRent', -transfer, lastInstant),
    ];
  });
}

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
