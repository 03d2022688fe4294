// Computes the revision of a resident's receipts.

import { Problem } from '../../../lib/problem.ts';
import { computeRevision } from '../../account/rules/revision.ts';
import { kindFromCode } from '../../account/rules/posting-kinds.ts';
import { addPartialSums } from '../../account/rules/rollups.ts';
import type { HistorySum } from './history-sums.ts';
import type { HistorySummary } from './history-summary.ts';
import { findReceiptKind } from './receipt-kinds.ts';

type ReceiptsRevisionInput = HistorySummary & {
  readonly userKid: string;
  /** Changes with the resident's name, location and deletion. */
  readonly residentState: string;
  /** Changes with every name and time zone of the bank's places. */
  readonly placesVersion: number;
  /** The tenant's time zone. */
  readonly timeZone: string;
};

/**
 * The revision is the same for every page and language, and changes with everything that receipts show. Postings are
 * immutable, so the fingerprints of postings stand for their content.
 */
export function computeReceiptsRevision(input: ReceiptsRevisionInput): string {
  const { visibleSums, balances, calculated, userKid, residentState, placesVersion, timeZone } = input;
  const sums = addPartialSums(visibleSums);
  const displayState = [
    userKid,
    residentState,
    placesVersion,
    timeZone,
    // The open period and the tax count only if a receipt shows them.
    visibleSums.some(({ of_period }) => of_period === input.openPeriod) ? input.openPeriod : '',
    visibleSums.some(isPurchase) ? input.vatRate : '',
    ...sums.totals.map(({ currency }) => `${currency}:${balances.get(currency)}`),
    ...calculated.map((receipt) => Object.values(receipt).join(':')),
  ];
  return computeRevision(sums, displayState.join('/'));
}

const isPurchase = ({ kind, is_credit }: HistorySum): boolean =>
  findReceiptKind(kindFromCode(kind), is_credit === 1) === 'Purchase';

/** Throws 409 `receipts-changed` if the client expects another revision. */
export function requireReceiptsRevision(expected: string | undefined, revision: string): void {
  if (expected !== undefined && expected !== revision) throw new Problem('receipts-changed');
}

/** The pattern of a revision. */
export const revisionPattern = '^[A-Za-z0-9_-]{27}$';
