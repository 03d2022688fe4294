// From a resident's postings to receipts: one for each local day, location, kind, period and currency, holding whole
// documents. A document is what the account groups: the postings that share a number; within a receipt those whose
// amounts cancel out are left out.

import type { Int64 } from '../../../lib/int64.ts';
import { standsAlone } from '../../account/rules/documents.ts';
import { kindOf, paymentKindOf } from '../../account/rules/kinds.ts';
import { receiptKindOf, type ReceiptKind } from './kinds.ts';
import type { LocalClock } from './local-clock.ts';
import type { Calculated } from './settlement.ts';

export type Posting = {
  readonly posting_id: number;
  readonly recorded_at: number;
  readonly location_id: number;
  readonly unit_id: number;
  readonly kind: number;
  readonly payment_kind: number;
  readonly currency: string;
  readonly amount_minor: Int64;
  readonly period: number;
  readonly document_id: number | null;
  readonly text: string;
};

export type Receipt = {
  /** The local day, counted from 2000-01-01. */
  readonly day: number;
  /** 0 where there is none. */
  readonly locationId: number;
  readonly kind: ReceiptKind;
  /** As stored. */
  readonly period: number;
  readonly currency: string;
  readonly totalMinor: bigint;
  /** When its newest line was, MS2000. */
  readonly lastAt: number;
  /** Newest first; none in a calculated one. */
  readonly postings: readonly Posting[];
  readonly documents: number;
};

export type ClockOf = (locationId: number) => LocalClock;

type Document = { amount: bigint };
type Group = Pick<Receipt, 'day' | 'locationId' | 'kind' | 'period' | 'currency'>;
type Draft = Group & {
  readonly postings: Posting[];
  /** Of each posting. */
  readonly documents: Document[];
  readonly numbered: Map<number, Document>;
};

/** Groups postings, which come newest first. */
export function receiptsOf(postings: Iterable<Posting>, clockOf: ClockOf): Receipt[] {
  const drafts = new Map<string, Draft>();
  let draft: Draft | undefined;
  for (const posting of postings) {
    const amount = BigInt(posting.amount_minor);
    const kind = receiptKindOf(kindOf(posting.kind), amount > 0n);
    if (kind === undefined) continue;
    const day = clockOf(posting.location_id).dayOf(posting.recorded_at);
    // Most belong to the one before.
    if (draft === undefined || !belongs(posting, day, kind, draft)) draft = draftOf(drafts, posting, day, kind);
    const document = documentOf(draft, posting);
    document.amount += amount;
    draft.postings.push(posting);
    draft.documents.push(document);
  }
  return [...drafts.values()].flatMap(finished);
}

function belongs(posting: Posting, day: number, kind: ReceiptKind, group: Group): boolean {
  return (
    group.day === day &&
    group.locationId === posting.location_id &&
    group.kind === kind &&
    group.period === posting.period &&
    group.currency === posting.currency
  );
}

function draftOf(drafts: Map<string, Draft>, posting: Posting, day: number, kind: ReceiptKind): Draft {
  const { location_id: locationId, period, currency } = posting;
  const key = `${day}/${locationId}/${kind}/${period}/${currency}`;
  let draft = drafts.get(key);
  if (draft === undefined) {
    draft = { day, locationId, kind, period, currency, postings: [], documents: [], numbered: new Map() };
    drafts.set(key, draft);
  }
  return draft;
}

function documentOf({ numbered }: Draft, { document_id, payment_kind }: Posting): Document {
  const isPaymentManaged = paymentKindOf(payment_kind) === 'Managed';
  if (document_id === null || standsAlone({ document_id, isPaymentManaged, isAnonymized: false }))
    return { amount: 0n };
  let document = numbered.get(document_id);
  if (document === undefined) {
    document = { amount: 0n };
    numbered.set(document_id, document);
  }
  return document;
}

function finished({ day, locationId, kind, period, currency, postings: all, documents }: Draft): Receipt[] {
  const postings = all.filter((_posting, at) => documents[at]?.amount !== 0n);
  const kept = new Set(documents.filter(({ amount }) => amount !== 0n));
  const [newest] = postings;
  if (newest === undefined) return [];
  let totalMinor = 0n;
  for (const { amount } of kept) totalMinor -= amount;
  const { recorded_at: lastAt } = newest;
  return [{ day, locationId, kind, period, currency, totalMinor, lastAt, postings, documents: kept.size }];
}

/** A receipt of no posting: at no location, on the tenant's day. */
export function receiptOfCalculated({ at, ...rest }: Calculated, clock: LocalClock): Receipt {
  return { ...rest, day: clock.dayOf(at), locationId: 0, lastAt: at, postings: [], documents: 1 };
}
