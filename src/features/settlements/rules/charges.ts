// Decides what a closed settlement period charges to its residents: the amount that it moves to their rent, as their
// receipts show it. A stored transfer of the period counts before one that is calculated.

import { listCalculatedReceipts, type BankSettlementState } from '../../receipts/rules/bank-settlement.ts';
import { groupMovements } from '../../receipts/rules/history-sums.ts';
import type { ReceiptKind } from '../../receipts/rules/receipt-kinds.ts';
import type { ResidentKindSum } from '../queries/settled-postings.ts';

export type Charge = {
  readonly residentId: number;
  readonly currency: string;
  /** Purchases less discounts. */
  readonly costsMinor: bigint;
  readonly paidMinor: bigint;
  /** What is to be charged: above zero if the resident owes it. */
  readonly amountMinor: bigint;
  /** The first of the resident's postings of the period, MS2000. */
  readonly earliest: number;
};

/** In the order of the residents and of the currencies. What is neither owed nor to be returned is no charge. */
export function* listCharges(
  sums: readonly ResidentKindSum[],
  bank: BankSettlementState,
  { period, throughAt }: { readonly period: number; readonly throughAt: number },
): Generator<Charge> {
  const history = { periodEnds: new Map([[period, throughAt]]), cutoff: 0 };
  for (const [residentId, ofResident] of Map.groupBy(sums, ({ user_id }) => user_id)) {
    const movements = ofResident.map((sum) => ({ ...sum, of_period: period, is_visible: true }));
    const calculated = listCalculatedReceipts(movements, bank, history);
    const earliest = Math.min(...ofResident.map((sum) => sum.earliest));
    for (const { currency, totals } of groupMovements(movements)) {
      // Signed as on a receipt.
      const totalOf = (kind: ReceiptKind): bigint =>
        calculated
          .filter((each) => each.kind === kind && each.currency === currency)
          .reduce((sum, { totalMinor }) => sum + totalMinor, totals[kind]);
      const amountMinor = -totalOf('TransferToRent');
      if (amountMinor === 0n) continue;
      const costsMinor = totalOf('Purchase') + totalOf('Discount');
      yield { residentId, currency, costsMinor, paidMinor: -totalOf('Payment'), amountMinor, earliest };
    }
  }
}
