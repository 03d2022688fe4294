// The one way into the ledger: postings are appended, never changed, and every roll-up is kept in the same
// transaction. The bank's guard row is bumped first, so that writers of one bank go one after the other on any node.

import type { WriteDb } from '../../../database/db.ts';
import { insertRows } from '../../../database/insert-rows.ts';
import type { Tables } from '../../../database/tables.ts';
import { isInt64 } from '../../../lib/int64.ts';
import { toMs2000 } from '../../../lib/ms2000.ts';
import { lockLedgerForWrite, type LedgerHead } from './ledger-head.ts';
import { initialLink, computeClosingLink, computePostingLink } from '../rules/chain.ts';
import { computeFingerprint } from '../rules/fingerprint.ts';
import { kindCode, paymentKindCode, type Kind, type PaymentKind } from '../rules/kinds.ts';
import { residentRollupUpsertColumns, computeResidentRollups } from '../rules/resident-rollups.ts';
import { rollupUpsertColumns, computeRollups } from '../rules/rollups.ts';

export type PostingDraft = {
  /** The event's time, MS2000; it may lie days back. */
  readonly recordedAt: number;
  /** 0 where there is none. */
  readonly locationId: number;
  readonly unitId: number;
  readonly userId: number;
  readonly kind: Kind;
  readonly paymentKind?: PaymentKind;
  /** ISO 4217, or empty where unknown. */
  readonly currency: string;
  readonly amountMinor: bigint;
  readonly vatMinor?: bigint | null;
  readonly documentId?: number | null;
  readonly text: string;
  readonly internalTag?: number | null;
  readonly paymentReference?: string | null;
  readonly reversalOf?: number | null;
};

/** Opens a bank's ledger with its first settlement period. */
export async function openLedger(db: WriteDb, bankId: number, at: number): Promise<void> {
  await db
    .insertInto('ledgers')
    .values({ bank_id: bankId, writes: 1, next_posting_id: 1, open_period: 1, opened_at: at, reversals: 0 })
    .execute();
}

/** Appends postings in the order given; answers the id of the first, the others follow it. */
export async function lockAndAppendPostings(
  db: WriteDb,
  bankId: number,
  drafts: readonly PostingDraft[],
): Promise<number> {
  const head = await lockLedgerForWrite(db, bankId, drafts.length);
  if (head === undefined) throw new Error(`bank ${bankId} has no ledger`);
  await appendPostings(db, head, drafts);
  return head.nextPostingId;
}

/** Appends as many postings as were reserved with this head; answers their rows. */
export async function appendPostings(
  db: WriteDb,
  { bankId, nextPostingId, reservedCount, openPeriod, lastLink }: LedgerHead,
  drafts: readonly PostingDraft[],
): Promise<Tables['postings'][]> {
  if (drafts.length !== reservedCount)
    throw new Error(`${reservedCount} ids were reserved for ${drafts.length} postings`);
  let link = lastLink;
  const rows = drafts.map((draft, at) => {
    const row = toPostingRow(draft, bankId, nextPostingId + at, openPeriod);
    link = computePostingLink(link, row);
    row.chain = link;
    return row;
  });
  // Asked for in the same turn; the engine runs them in this order.
  await Promise.all([
    insertRows(db, 'postings', rows),
    db.dialect.upsertRows(db, 'posting_rollups', computeRollups(rows), rollupUpsertColumns),
    db.dialect.upsertRows(db, 'resident_rollups', computeResidentRollups(rows), residentRollupUpsertColumns),
    addToReversalCount(db, bankId, rows.filter(({ reversal_of }) => reversal_of !== null).length),
  ]);
  return rows;
}

async function addToReversalCount(db: WriteDb, bankId: number, addedCount: number): Promise<void> {
  if (addedCount === 0) return;
  await db
    .updateTable('ledgers')
    .set((eb) => ({ reversals: eb('reversals', '+', addedCount) }))
    .where('bank_id', '=', bankId)
    .execute();
}

/** Closes the open settlement period and opens the next; touches no posting. Answers the number closed. */
export async function lockAndClosePeriod(
  db: WriteDb,
  bankId: number,
  through: number,
  closedAt: number,
): Promise<number> {
  const head = await lockLedgerForWrite(db, bankId, 0);
  if (head === undefined) throw new Error(`bank ${bankId} has no ledger`);
  await closeOpenPeriod(db, head, through, closedAt);
  return head.openPeriod;
}

/** Closes the period that this head, bumped in the same transaction, has open. */
export async function closeOpenPeriod(
  db: WriteDb,
  { bankId, openPeriod: period, openedAt, lastLink }: LedgerHead,
  through: number,
  closedAt: number,
): Promise<void> {
  const closing = { bank_id: bankId, period, from_at: openedAt, through_at: through, closed_at: closedAt };
  await db
    .insertInto('settlement_periods')
    .values({ ...closing, chain: computeClosingLink(lastLink, closing) })
    .execute();
  await db
    .updateTable('ledgers')
    .set({ open_period: period + 1, opened_at: through })
    .where('bank_id', '=', bankId)
    .execute();
}

// The years that RFC 3339 has: a time outside them could not be told.
const earliestRecordedAt = toMs2000(Date.parse('0000-01-01T00:00:00Z'));
const latestRecordedAt = toMs2000(Date.parse('9999-12-31T23:59:59.999Z'));

// What the columns hold.
const maxTextLength = 500;
const maxPaymentReferenceLength = 128;

// The engines differ in what they make of a value that does not fit; here both refuse it.
function validatePostingDraft({ amountMinor, vatMinor, currency, recordedAt, ...draft }: PostingDraft): void {
  if (!isInt64(amountMinor) || !isInt64(vatMinor ?? 0n)) throw new RangeError('a posting’s amounts must fit 64 bits');
  if (!/^(?:[A-Z]{3})?$/.test(currency))
    throw new RangeError('a posting’s currency must be an ISO 4217 code, or empty');
  if (!Number.isSafeInteger(recordedAt) || recordedAt < earliestRecordedAt || recordedAt > latestRecordedAt)
    throw new RangeError('a posting’s time must be whole milliseconds of the years 0 to 9999');
  const { locationId, unitId, userId, documentId, internalTag, reversalOf } = draft;
  for (const id of [locationId, unitId, userId, documentId ?? 0, internalTag ?? 0, reversalOf ?? 0])
    if (!Number.isSafeInteger(id)) throw new RangeError('a posting’s ids must be whole numbers');
  if (draft.text.length > maxTextLength || (draft.paymentReference?.length ?? 0) > maxPaymentReferenceLength)
    throw new RangeError(
      `a posting’s text has at most ${maxTextLength} characters, its payment reference ${maxPaymentReferenceLength}`,
    );
}

/** What is stored of a draft; its link is still to be laid. */
export function toPostingRow(
  draft: PostingDraft,
  bankId: number,
  postingId: number,
  period: number,
): Tables['postings'] {
  validatePostingDraft(draft);
  const { amountMinor, currency } = draft;
  const row: Tables['postings'] = {
    bank_id: bankId,
    posting_id: postingId,
    recorded_at: draft.recordedAt,
    location_id: draft.locationId,
    unit_id: draft.unitId,
    user_id: draft.userId,
    kind: kindCode(draft.kind),
    payment_kind: paymentKindCode(draft.paymentKind ?? ''),
    currency,
    amount_minor: amountMinor,
    vat_minor: draft.vatMinor ?? null,
    period,
    document_id: draft.documentId ?? null,
    text: draft.text,
    internal_tag: draft.internalTag ?? null,
    payment_reference: draft.paymentReference ?? null,
    reversal_of: draft.reversalOf ?? null,
    fingerprint: 0,
    chain: initialLink,
  };
  row.fingerprint = computeFingerprint(row);
  return row;
}
