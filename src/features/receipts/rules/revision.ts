// The revision of a resident's receipts: the same for every page and language, and another one as soon as anything
// behind them is another. Postings are never changed, so that their fingerprints stand for all they hold.

import { computeRevision } from '../../account/rules/revision.ts';
import { addPartialSums } from '../../account/rules/rollups.ts';
import { findReceiptKind } from './receipt-kinds.ts';
import { kindFromCode } from '../../account/rules/kinds.ts';
import type { CalculatedReceipt } from './calculated-receipts.ts';
import type { HistorySum } from './history-sums.ts';

export type ReceiptsRevisionInput = {
  readonly userKid: string;
  /** Turns with every name and zone of the bank's places. */
  readonly placesVersion: number;
  /** The tenant's. */
  readonly timeZone: string;
  readonly openPeriod: number;
  readonly vatRate: number | null;
  readonly visibleSums: readonly HistorySum[];
  readonly balances: ReadonlyMap<string, bigint>;
  readonly calculated: readonly CalculatedReceipt[];
};

export function computeReceiptsRevision(input: ReceiptsRevisionInput): string {
  const { visibleSums, balances, calculated, userKid, placesVersion, timeZone } = input;
  const sums = addPartialSums(visibleSums);
  const parts = [
    userKid,
    placesVersion,
    timeZone,
    // Which period is open, and what tax is contained, where that can be seen at all.
    visibleSums.some(({ of_period }) => of_period === input.openPeriod) ? input.openPeriod : '',
    visibleSums.some(isPurchase) ? input.vatRate : '',
    ...sums.totals.map(({ currency }) => `${currency}:${balances.get(currency)}`),
    ...calculated.map((each) => Object.values(each).join(':')),
  ];
  return computeRevision(sums, parts.join('/'));
}

const isPurchase = ({ kind, is_credit }: HistorySum): boolean =>
  findReceiptKind(kindFromCode(kind), is_credit === 1) === 'Purchase';

/** As revisions are spelled. */
export const revisionPattern = '^[A-Za-z0-9_-]{27}$';
