// Keeps what rows of postings reverse and refund: a row can name one of the ledger, or a row before it.

import { kindCode, paymentKindCode } from '../../../account/rules/posting-kinds.ts';
import type { PostingDraft } from '../../../account/rules/posting-draft.ts';
import type { createCompensatingPosting } from '../../../account/rules/reversal.ts';

export type OriginalPosting = Parameters<typeof createCompensatingPosting>[0] & {
  readonly isReversed: boolean;
  readonly refundedMinor: bigint;
  /** No device has made it. */
  readonly isImported: boolean;
  /** Whose it is must not be told, as a reversal would. */
  readonly isHidden: boolean;
};

/** The originals of a batch: what the ledger has, and the rows of the batch as they are decided. */
export class OriginalPostings {
  readonly #byName: Map<string, OriginalPosting>;
  readonly #byId: Map<number, OriginalPosting>;

  constructor(known: ReadonlyMap<string, OriginalPosting>) {
    this.#byName = new Map(known);
    this.#byId = new Map([...known.values()].map((original) => [original.posting_id, original]));
  }

  find(name: string): OriginalPosting | undefined {
    const found = this.#byName.get(name);
    return found && (this.#byId.get(found.posting_id) ?? found);
  }

  /** A row that will be a posting can be named by its key. */
  add(key: string, postingId: number, draft: PostingDraft): void {
    const original: OriginalPosting = {
      posting_id: postingId,
      location_id: draft.locationId,
      unit_id: draft.unitId,
      user_id: draft.residentId,
      kind: kindCode(draft.kind),
      payment_kind: paymentKindCode(draft.paymentKind ?? ''),
      currency: draft.currency,
      amount_minor: draft.amountMinor,
      vat_minor: draft.vatMinor ?? null,
      document_id: draft.documentId ?? null,
      text: draft.text,
      internal_tag: draft.internalTag ?? null,
      reversal_of: draft.reversalOf ?? null,
      is_refunded: 0,
      isReversed: false,
      refundedMinor: 0n,
      isImported: true,
      isHidden: false,
    };
    this.#byName.set(key, original);
    this.#byId.set(postingId, original);
  }

  setReversed(original: OriginalPosting): void {
    this.#byId.set(original.posting_id, { ...original, isReversed: true });
  }

  addRefund(original: OriginalPosting, amountMinor: bigint): void {
    const refundedMinor = original.refundedMinor + amountMinor;
    this.#byId.set(original.posting_id, { ...original, is_refunded: 1, refundedMinor });
  }
}
