// Calculates the receipts that a settlement adds without a stored posting: discounts and transfers to the rent.

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

/**
 * The calculated receipts of a resident, by period and currency. If receipts do not show some postings of the period,
 * receipts do not show what is calculated from these postings either, because the sum would reveal the postings. The
 * balance still contains the calculated sum, as it contains the postings.
 */
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

/**
 * The discount is the bank's rate of the period's purchases in kroner, rounded down. A stored discount of the period
 * replaces the calculated discount. In the open period the discount is provisional and has the date of the latest
 * purchase. No balance contains a provisional discount, because the resident has not used the discount yet.
 */
function calculateDiscount(
  { currency, kindsWithPostings, totals }: ResidentMovements,
  { discountRate }: SettlementRules,
): bigint {
  if (discountRate === null || currency !== discountCurrency || kindsWithPostings.has('Discount')) return 0n;
  return computeDiscount(totals.Purchase, discountRate);
}

/**
 * In a rent bank, the amount that a resident still owes at the end of a closed period (purchases less discounts less
 * payments) is moved to the rent. A stored transfer of the period replaces the calculated transfer. A sum in an unknown
 * currency is not moved.
 */
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
