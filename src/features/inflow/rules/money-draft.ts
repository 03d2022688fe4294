// Drafts the posting of a line of the stream of money.

import { containedVat, formatRefundReference, type PostingDraft } from '../../account/rules/posting-draft.ts';
import type { BookDecision, RefundableUse } from './decide-money-line.ts';
import type { MoneyLine } from './money-line.ts';
import type { UnitKey } from '../../../permissions/coverage.ts';

type DraftInput = {
  readonly n: number;
  readonly money: MoneyLine;
  readonly unit: UnitKey | undefined;
  readonly ref: string | null;
  readonly decision: BookDecision;
  readonly refunded: RefundableUse | undefined;
};

type DraftContext = {
  readonly currency: string;
  readonly vatBasisPoints: number | null;
  /** The posting of a use, also of one that is booked together with its refund. */
  readonly postingIdOf: (source: RefundableUse['source']) => number;
};

export function toMoneyDraft(input: DraftInput, context: DraftContext): PostingDraft {
  const { n, money, unit, ref, decision, refunded } = input;
  const common = {
    recordedAt: decision.at,
    locationId: unit?.locationId ?? 0,
    unitId: unit?.unitId ?? 0,
    residentId: decision.residentId,
    currency: context.currency,
    amountMinor: decision.amountMinor,
    documentId: money.documentId ?? null,
    text: money.text,
  };
  if (refunded !== undefined)
    return { ...common, ...refundOf(refunded, decision, context), text: money.text || refunded.text };
  if (money.kind === 'pay') return { ...common, kind: 'Payment', paymentReference: ref };
  const vatMinor = containedVat(decision.amountMinor, context.vatBasisPoints);
  // The device takes a use back by its reference: without one it could not.
  const internalTag = money.kind === 'use' && ref !== null ? n : null;
  return { ...common, kind: 'Consumption', vatMinor, internalTag };
}

/** The refund of a whole use is its reversal: nobody can take the use back once more. */
function refundOf(
  use: RefundableUse,
  { amountMinor }: BookDecision,
  { postingIdOf }: DraftContext,
): Pick<PostingDraft, 'kind' | 'vatMinor' | 'documentId' | 'paymentReference' | 'reversalOf'> {
  const postingId = postingIdOf(use.source);
  const isWhole = amountMinor === -use.amountMinor;
  return {
    kind: 'Consumption',
    vatMinor: use.vatMinor === null ? null : (use.vatMinor * amountMinor) / use.amountMinor,
    documentId: use.documentId,
    paymentReference: isWhole ? null : formatRefundReference(postingId),
    reversalOf: isWhole ? postingId : null,
  };
}
