// The revision of a resident's receipts: the same for every page and language, and another one as soon as anything
// behind them is another. Postings are never changed, so that their fingerprints stand for all they hold.

import { revisionOf } from '../../account/rules/fingerprint.ts';
import { addShares } from '../../account/rules/rollups.ts';
import { receiptKindOf } from './kinds.ts';
import { kindOf } from '../../account/rules/kinds.ts';
import type { Calculated } from './settlement.ts';
import type { HistoryShare } from './shares.ts';

export type View = {
  readonly userKid: string;
  /** Turns with every name and zone of the bank's places. */
  readonly placesVersion: number;
  /** The tenant's. */
  readonly timeZone: string;
  readonly openPeriod: number;
  readonly vatRate: number | null;
  readonly shown: readonly HistoryShare[];
  readonly balances: ReadonlyMap<string, bigint>;
  readonly calculated: readonly Calculated[];
};

export function receiptsRevision(view: View): string {
  const { shown, balances, calculated, userKid, placesVersion, timeZone } = view;
  const sums = addShares(shown);
  const parts = [
    userKid,
    placesVersion,
    timeZone,
    // Which period is open, and what tax is contained, where that can be seen at all.
    shown.some(({ of_period }) => of_period === view.openPeriod) ? view.openPeriod : '',
    shown.some(isPurchase) ? view.vatRate : '',
    ...sums.totals.map(({ currency }) => `${currency}:${balances.get(currency)}`),
    ...calculated.map((each) => Object.values(each).join(':')),
  ];
  return revisionOf(sums, parts.join('/'));
}

const isPurchase = ({ kind, is_credit }: HistoryShare): boolean =>
  receiptKindOf(kindOf(kind), is_credit === 1) === 'Purchase';

/** As revisions are spelled. */
export const revisionPattern = '^[A-Za-z0-9_-]{27}$';
