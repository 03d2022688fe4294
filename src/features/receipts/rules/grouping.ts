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
  readonly documentOf: Document[];
  readonly documents: Document[];
  /** Those with a number, once there is one. */
  numbered: Map<number, Document> | undefined;
};

/** Groups postings, which are added newest first. */
export class Grouping {
  readonly #clockOf: ClockOf;
  readonly #finished: Receipt[] = [];
  /** Of the days that are not finished. They are few. */
  #drafts: Draft[] = [];
  #last: Draft | undefined;

  constructor(clockOf: ClockOf) {
    this.#clockOf = clockOf;
  }

  add(posting: Posting): void {
    const amount = BigInt(posting.amount_minor);
    const kind = receiptKindOf(kindOf(posting.kind), amount > 0n);
    if (kind === undefined) return;
    const day = this.#clockOf(posting.location_id).dayOf(posting.recorded_at);
    // Most belong to the one before.
    if (this.#last === undefined || !belongs(posting, day, kind, this.#last))
      this.#last = this.#draftOf(posting, day, kind);
    const document = documentOf(this.#last, posting);
    document.amount += amount;
    this.#last.postings.push(posting);
    this.#last.documentOf.push(document);
  }

  /** The receipts of all days after this one, to which nothing is added any more, in no order. */
  finishedAfter(day: number): readonly Receipt[] {
    const drafts = this.#drafts;
    this.#drafts = drafts.filter((draft) => draft.day <= day);
    for (const draft of drafts) {
      const receipt = draft.day <= day ? undefined : receiptOf(draft);
      if (receipt !== undefined) this.#finished.push(receipt);
    }
    return this.#finished;
  }

  #draftOf(posting: Posting, day: number, kind: ReceiptKind): Draft {
    const known = this.#drafts.find((draft) => belongs(posting, day, kind, draft));
    if (known !== undefined) return known;
    const { location_id: locationId, period, currency } = posting;
    const group = { day, locationId, kind, period, currency };
    const draft: Draft = { ...group, postings: [], documentOf: [], documents: [], numbered: undefined };
    this.#drafts.push(draft);
    return draft;
  }
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

function documentOf(draft: Draft, { document_id, payment_kind }: Posting): Document {
  const isPaymentManaged = paymentKindOf(payment_kind) === 'Managed';
  const isAlone = document_id === null || standsAlone({ document_id, isPaymentManaged, isAnonymized: false });
  const known = isAlone ? undefined : draft.numbered?.get(document_id);
  if (known !== undefined) return known;
  const document = { amount: 0n };
  draft.documents.push(document);
  if (!isAlone) (draft.numbered ??= new Map()).set(document_id, document);
  return document;
}

/** Undefined where every document comes to nothing. */
function receiptOf(draft: Draft): Receipt | undefined {
  const { day, locationId, kind, period, currency, documentOf: of } = draft;
  const documents = draft.documents.filter(({ amount }) => amount !== 0n);
  const isWhole = documents.length === draft.documents.length;
  const postings = isWhole ? draft.postings : draft.postings.filter((_posting, at) => of[at]?.amount !== 0n);
  const [newest] = postings;
  if (newest === undefined) return undefined;
  const totalMinor = documents.reduce((total, { amount }) => total - amount, 0n);
  const { recorded_at: lastAt } = newest;
  return { day, locationId, kind, period, currency, totalMinor, lastAt, postings, documents: documents.length };
}

/** A receipt of no posting: at no location, on the tenant's day. */
export function receiptOfCalculated({ at, ...rest }: Calculated, clock: LocalClock): Receipt {
  return { ...rest, day: clock.dayOf(at), locationId: 0, lastAt: at, postings: [], documents: 1 };
}
