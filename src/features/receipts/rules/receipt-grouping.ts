// Groups a resident's postings into receipts: one for each local day, location, kind, period and currency.

import type { Tables } from '../../../database/tables.ts';
import { isStandalone } from '../../account/rules/account-documents.ts';
import { kindFromCode, paymentKindFromCode } from '../../account/rules/posting-kinds.ts';
import { findReceiptKind, type ReceiptKind } from './receipt-kinds.ts';
import type { LocalClock } from '../../../lib/time/local-clock.ts';
import type { CalculatedReceipt } from './calculated-receipts.ts';

export const historyColumns = [
  'posting_id',
  'recorded_at',
  'location_id',
  'unit_id',
  'kind',
  'payment_kind',
  'currency',
  'amount_minor',
  'period',
  'document_id',
  'text',
] as const satisfies readonly (keyof Tables['postings'])[];

export type HistoryPosting = Pick<Tables['postings'], (typeof historyColumns)[number]>;

export type ReceiptGroup = {
  /** The local day, counted from 2000-01-01. */
  readonly day: number;
  /** 0 if there is none. */
  readonly locationId: number;
  readonly kind: ReceiptKind;
  /** The stored number of the period. */
  readonly period: number;
  readonly currency: string;
  readonly totalMinor: bigint;
  /** The time of its newest line, MS2000. */
  readonly lastAt: number;
  /** Newest first; empty in a calculated receipt. */
  readonly postings: readonly HistoryPosting[];
  /** The number of documents. */
  readonly documentCount: number;
};

export type GetLocationClock = (locationId: number) => LocalClock;

type ReceiptDocument = { amount: bigint };
type ReceiptKey = Pick<ReceiptGroup, 'day' | 'locationId' | 'kind' | 'period' | 'currency'>;
type ReceiptDraft = ReceiptKey & {
  readonly postings: HistoryPosting[];
  /** The document of each posting. */
  readonly postingDocuments: ReceiptDocument[];
  readonly documents: ReceiptDocument[];
  /** Created with the first document that has a number. */
  documentsByNumber: Map<number, ReceiptDocument> | undefined;
};

/**
 * Groups postings, which must be added newest first. Within a receipt, the postings with the same document number are a
 * document. A document with total 0 is omitted.
 */
export class ReceiptGrouper {
  readonly #getClock: GetLocationClock;
  readonly #finished: ReceiptGroup[] = [];
  /** The receipts of unfinished days. They are few. */
  #drafts: ReceiptDraft[] = [];
  #last: ReceiptDraft | undefined;

  constructor(getClock: GetLocationClock) {
    this.#getClock = getClock;
  }

  add(posting: HistoryPosting): void {
    const amount = BigInt(posting.amount_minor);
    const kind = findReceiptKind(kindFromCode(posting.kind), amount > 0n);
    if (kind === undefined) return;
    const day = this.#getClock(posting.location_id).getLocalDay(posting.recorded_at);
    // Most postings belong to the same receipt as the one before.
    if (this.#last === undefined || !belongsToReceipt(posting, day, kind, this.#last))
      this.#last = this.#getDraft(posting, day, kind);
    const document = getOrCreateDocument(this.#last, posting);
    document.amount += amount;
    this.#last.postings.push(posting);
    this.#last.postingDocuments.push(document);
  }

  /** The receipts of all days after this one, in no order. No further postings can be added to them. */
  listFinishedAfter(day: number): readonly ReceiptGroup[] {
    const drafts = this.#drafts;
    this.#drafts = drafts.filter((draft) => draft.day <= day);
    for (const draft of drafts) {
      const receipt = draft.day <= day ? undefined : finishReceipt(draft);
      if (receipt !== undefined) this.#finished.push(receipt);
    }
    return this.#finished;
  }

  #getDraft(posting: HistoryPosting, day: number, kind: ReceiptKind): ReceiptDraft {
    const known = this.#drafts.find((draft) => belongsToReceipt(posting, day, kind, draft));
    if (known !== undefined) return known;
    const { location_id: locationId, period, currency } = posting;
    const group = { day, locationId, kind, period, currency };
    const draft: ReceiptDraft = {
      ...group,
      postings: [],
      postingDocuments: [],
      documents: [],
      documentsByNumber: undefined,
    };
    this.#drafts.push(draft);
    return draft;
  }
}

const belongsToReceipt = (posting: HistoryPosting, day: number, kind: ReceiptKind, group: ReceiptKey): boolean =>
  group.day === day &&
  group.locationId === posting.location_id &&
  group.kind === kind &&
  group.period === posting.period &&
  group.currency === posting.currency;

function getOrCreateDocument(draft: ReceiptDraft, { document_id, payment_kind }: HistoryPosting): ReceiptDocument {
  const isPaymentManaged = paymentKindFromCode(payment_kind) === 'Managed';
  const isAlone = document_id === null || isStandalone({ document_id, isPaymentManaged, isAnonymized: false });
  const known = isAlone ? undefined : draft.documentsByNumber?.get(document_id);
  if (known !== undefined) return known;
  const document = { amount: 0n };
  draft.documents.push(document);
  if (!isAlone) (draft.documentsByNumber ??= new Map()).set(document_id, document);
  return document;
}

/** Undefined if every document has total 0. */
function finishReceipt(draft: ReceiptDraft): ReceiptGroup | undefined {
  const { day, locationId, kind, period, currency, postingDocuments } = draft;
  const documents = draft.documents.filter(({ amount }) => amount !== 0n);
  const isUnchanged = documents.length === draft.documents.length;
  const postings = isUnchanged
    ? draft.postings
    : draft.postings.filter((_posting, index) => postingDocuments[index]?.amount !== 0n);
  const [newest] = postings;
  if (newest === undefined) return undefined;
  const totalMinor = documents.reduce((total, { amount }) => total - amount, 0n);
  const { recorded_at: lastAt } = newest;
  return { day, locationId, kind, period, currency, totalMinor, lastAt, postings, documentCount: documents.length };
}

/** A receipt without postings and location; `clock` is that of the tenant's time zone. */
export function toCalculatedReceipt(
  { kind, period, currency, totalMinor, at }: CalculatedReceipt,
  clock: LocalClock,
): ReceiptGroup {
  const day = clock.getLocalDay(at);
  return { day, locationId: 0, kind, period, currency, totalMinor, lastAt: at, postings: [], documentCount: 1 };
}
