// Decides which postings can be reversed, and creates the posting that compensates one.

import type { Tables } from '../../../database/tables.ts';
import { int64Min, type Int64 } from '../../../lib/values/int64.ts';
import { guestId } from '../../../lib/kid.ts';
import type { ProblemReason } from '../../../lib/problem.ts';
import { kindFromCode, paymentKindFromCode, type Kind } from './posting-kinds.ts';
import type { PostingDraft } from './posting-draft.ts';

type IrreversibleReason = ProblemReason<'not-reversible'>;

/** The details of `not-reversible` by its reason. */
export const irreversibleReasons = {
  'compensating-entry': 'The entry compensates another entry.',
  'payment-managed': 'The entry is managed by a payment.',
  'payment-transfer': 'The entry transfers a payment.',
  'monthly-transfer': 'The entry is a monthly transfer.',
  'unknown-type': 'The entry is of an unknown type.',
  'not-consumption': 'The entry is not consumption.',
  credit: 'The entry is a credit.',
  'zero-amount': 'The amount of the entry is zero.',
  'no-resident': 'The entry does not belong to a resident.',
  'expired-identity': 'The identity of the entry’s resident has expired.',
  'guest-entry': 'The entry belongs to the guest user.',
  refunded: 'The device has refunded a part of the entry: a reversal would give back more than was charged.',
  'no-internal-tag': 'The entry has no internal tag from the device, so it cannot be reversed.',
  'amount-out-of-range': 'The negated amount does not fit in 64 bits.',
} as const satisfies Record<IrreversibleReason, string>;

type ReversalCandidate = Pick<
  Tables['postings'],
  'kind' | 'payment_kind' | 'amount_minor' | 'vat_minor' | 'user_id' | 'internal_tag' | 'reversal_of'
> & {
  /** 1 if the device has refunded a part of it, else 0. */
  readonly is_refunded: number;
};

const irreversibleReasonByKind: Readonly<Record<Kind, IrreversibleReason | undefined>> = {
  Consumption: undefined,
  Unknown: 'unknown-type',
  Booking: 'not-consumption',
  Month: 'monthly-transfer',
  Payment: 'payment-transfer',
  TransferToRent: 'payment-transfer',
  Credit: 'credit',
  Discount: 'credit',
};

/** The first reason against a reversal. It does not consider whether the posting is already reversed. */
export const findIrreversibleReason = (
  posting: ReversalCandidate,
  isAnonymized: boolean,
): IrreversibleReason | undefined =>
  findTypeReason(posting) ?? findResidentReason(posting, isAnonymized) ?? findEquipmentReason(posting);

function findTypeReason({
  reversal_of,
  kind,
  payment_kind,
  amount_minor,
}: ReversalCandidate): IrreversibleReason | undefined {
  const paymentKind = paymentKindFromCode(payment_kind);
  if (reversal_of !== null) return 'compensating-entry';
  if (paymentKind === 'Managed') return 'payment-managed';
  const ofKind = irreversibleReasonByKind[kindFromCode(kind)];
  if (ofKind !== undefined) return ofKind;
  if (paymentKind !== '') return 'payment-transfer';
  if (amount_minor > 0) return 'credit';
  return amount_minor < 0 ? undefined : 'zero-amount';
}

// Once the identity has expired, the reason does not show whether it was a guest.
function findResidentReason({ user_id }: ReversalCandidate, isAnonymized: boolean): IrreversibleReason | undefined {
  if (user_id < guestId) return 'no-resident';
  if (isAnonymized) return 'expired-identity';
  return user_id === guestId ? 'guest-entry' : undefined;
}

function findEquipmentReason({
  internal_tag,
  amount_minor,
  vat_minor,
  is_refunded,
}: ReversalCandidate): IrreversibleReason | undefined {
  if (internal_tag === null) return 'no-internal-tag';
  // A reversal cancels the whole amount, and never only what is left of it.
  if (is_refunded !== 0) return 'refunded';
  const hasOpposite = (amount: Int64): boolean => BigInt(amount) !== int64Min;
  return hasOpposite(amount_minor) && hasOpposite(vat_minor ?? 0) ? undefined : 'amount-out-of-range';
}

/** Whether a posting whose identity is shown can be reversed and is not reversed yet. */
export const isReversible = (posting: ReversalCandidate & { readonly reversed_by: number | null }): boolean =>
  posting.reversed_by === null && findIrreversibleReason(posting, false) === undefined;

type OriginalPosting = ReversalCandidate &
  Pick<Tables['postings'], 'posting_id' | 'location_id' | 'unit_id' | 'currency' | 'document_id' | 'text'>;

/** The posting that reverses an original: same place, user and document, negated amount. */
export function createCompensatingPosting(original: OriginalPosting, recordedAt: number): PostingDraft {
  const { amount_minor, vat_minor } = original;
  return {
    recordedAt,
    locationId: original.location_id,
    unitId: original.unit_id,
    residentId: original.user_id,
    kind: kindFromCode(original.kind),
    currency: original.currency,
    amountMinor: -BigInt(amount_minor),
    vatMinor: vat_minor === null ? null : -BigInt(vat_minor),
    documentId: original.document_id,
    text: original.text,
    reversalOf: original.posting_id,
  };
}
