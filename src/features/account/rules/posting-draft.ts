// Describes a posting that will be appended, with its time, its tax and its reference, checks that the database can hold
// it, and creates its row.

import type { Tables } from '../../../database/tables.ts';
import { toMs2000 } from '../../../lib/time/ms2000.ts';
import { isInt64 } from '../../../lib/values/int64.ts';
import { computeFingerprint, initialLedgerLink } from './hash-chain.ts';
import { kindCode, paymentKindCode, type Kind, type PaymentKind } from './posting-kinds.ts';

export type PostingDraft = {
  /** The time of the event (MS2000), which can be days ago. */
  readonly recordedAt: number;
  /** 0 for none. */
  readonly locationId: number;
  readonly unitId: number;
  readonly residentId: number;
  readonly kind: Kind;
  readonly paymentKind?: PaymentKind;
  /** ISO 4217, or empty if unknown. */
  readonly currency: string;
  readonly amountMinor: bigint;
  readonly vatMinor?: bigint | null;
  readonly documentId?: number | null;
  readonly text: string;
  readonly internalTag?: number | null;
  readonly paymentReference?: string | null;
  readonly reversalOf?: number | null;
};

// The years of RFC 3339: answers could not show a time outside them.
const earliestRecordedAt = toMs2000(Date.parse('0000-01-01T00:00:00Z'));
const latestRecordedAt = toMs2000(Date.parse('9999-12-31T23:59:59.999Z'));

// The lengths of the columns.
const maxTextLength = 500;
const maxPaymentReferenceLength = 128;

/** Throws a RangeError for a value that does not fit its column: the engines would treat it differently. */
function validatePostingDraft({ amountMinor, vatMinor, currency, recordedAt, ...draft }: PostingDraft): void {
  if (!isInt64(amountMinor) || !isInt64(vatMinor ?? 0n)) throw new RangeError('a posting’s amounts must fit 64 bits');
  if (!/^(?:[A-Z]{3})?$/.test(currency))
    throw new RangeError('a posting’s currency must be an ISO 4217 code, or empty');
  if (!Number.isSafeInteger(recordedAt) || recordedAt < earliestRecordedAt || recordedAt > latestRecordedAt)
    throw new RangeError('a posting’s time must be whole milliseconds of the years 0 to 9999');
  const { locationId, unitId, residentId, documentId, internalTag, reversalOf } = draft;
  for (const id of [locationId, unitId, residentId, documentId ?? 0, internalTag ?? 0, reversalOf ?? 0])
    if (!Number.isSafeInteger(id)) throw new RangeError('a posting’s ids must be whole numbers');
  if (draft.text.length > maxTextLength || (draft.paymentReference?.length ?? 0) > maxPaymentReferenceLength)
    throw new RangeError(
      `a posting’s text has at most ${maxTextLength} characters, its payment reference ${maxPaymentReferenceLength}`,
    );
}

type PostingPosition = { readonly bankId: number; readonly postingId: number; readonly period: number };

/** The row of a draft, with its fingerprint but without its link of the hash chain. */
export function toPostingRow(draft: PostingDraft, { bankId, postingId, period }: PostingPosition): Tables['postings'] {
  validatePostingDraft(draft);
  const row: Tables['postings'] = {
    bank_id: bankId,
    posting_id: postingId,
    recorded_at: draft.recordedAt,
    location_id: draft.locationId,
    unit_id: draft.unitId,
    user_id: draft.residentId,
    kind: kindCode(draft.kind),
    payment_kind: paymentKindCode(draft.paymentKind ?? ''),
    currency: draft.currency,
    amount_minor: draft.amountMinor,
    vat_minor: draft.vatMinor ?? null,
    period,
    document_id: draft.documentId ?? null,
    text: draft.text,
    internal_tag: draft.internalTag ?? null,
    payment_reference: draft.paymentReference ?? null,
    reversal_of: draft.reversalOf ?? null,
    fingerprint: 0,
    chain: initialLedgerLink,
  };
  row.fingerprint = computeFingerprint(row);
  return row;
}

export type LedgerTimes = {
  /** When the open settlement period began. */
  readonly openedAt: number;
  /** When the service last wrote to the ledger, or to the bookings of its bank. */
  readonly lastWriteAt: number;
};

/** Nothing is recorded with an earlier time. */
export const latestTimeOf = ({ openedAt, lastWriteAt }: LedgerTimes): number => Math.max(openedAt, lastWriteAt);

/** The tax contained in an amount, with the amount's sign; null without a rate. */
export function containedVat(amountMinor: bigint, basisPoints: number | null): bigint | null {
  if (basisPoints === null) return null;
  const rate = BigInt(basisPoints);
  return (amountMinor * rate) / (10_000n + rate);
}

export const refundReferencePrefix = 'refund of X';

export const formatRefundReference = (postingId: number): string => `${refundReferencePrefix}${postingId}`;

/** The posting that a payment reference says to be refunded; undefined for any other reference. */
export function parseRefundReference(reference: string | null): number | undefined {
  if (reference === null || !reference.startsWith(refundReferencePrefix)) return undefined;
  const digits = reference.slice(refundReferencePrefix.length);
  return /^[1-9]\d{0,15}$/.test(digits) ? Number(digits) : undefined;
}
