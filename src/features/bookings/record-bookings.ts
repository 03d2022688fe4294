// Records bookings that residents and devices make, and demo bookings: the booking, its event, its slots and its
// charge. It serves callers without a manager, and must be the first statement of a transaction.

import type { LockableDb, WriteDb } from '../../database/db.ts';
import { orDuplicateProblem } from '../../database/duplicate-problem.ts';
import { takeLocks } from '../../database/locks.ts';
import type { Tables } from '../../database/tables.ts';
import { requireLocationOf, type GrantedBank } from '../../permissions/coverage.ts';
import { appendPostings } from '../account/queries/ledger.ts';
import { ledgerLock, type LedgerHead } from '../account/queries/ledger-head.ts';
import { bookingsLock, type ReservedBookingIds } from './queries/booking-ids.ts';
import { listChargePostings, listPostingIdsOfBookings } from './queries/booking-events.ts';
import { insertBookings, deleteOldSlots, insertSlots } from './queries/write-slots.ts';
import { isChargeOfDraft, requireValidDraft, toChargePosting, type BookingDraft } from './rules/booking-draft.ts';
import { toBookingInsertRows } from './rules/booking-insert-rows.ts';
import { oldestUsefulSlot, slotMs } from './rules/slots.ts';
import { formatUnitInBankKey } from './rules/unit-in-bank.ts';

/**
 * Records bookings in the order given; returns the id of the first event. The ids of the others follow it; a cancelled
 * booking has two. Throws a RangeError for an invalid draft or a posting that did not charge its draft, and 409
 * `booking-overlap` if a time is taken.
 */
export async function recordBookings(
  db: LockableDb,
  bank: GrantedBank,
  drafts: readonly BookingDraft[],
  now: number,
): Promise<number> {
  const events = drafts.length + drafts.filter(({ cancelled }) => cancelled !== undefined).length;
  const [ids, ledger] = await takeLocks(db, [
    bookingsLock(bank, { bookings: drafts.length, events }),
    ledgerLock(bank, { reservedCount: drafts.filter(hasChargeToPost).length, now }),
  ]);
  await storeBookings(db, bank, drafts, { ids, ledger, now });
  return ids.nextEventId;
}

type StoreInput = {
  readonly ids: ReservedBookingIds;
  /** With as many reserved ids as drafts have charges that are not posted yet. */
  readonly ledger: LedgerHead | undefined;
  readonly now: number;
};

/** Stores bookings in a transaction that has locked the bookings and the ledger, and reserved the ids. */
export async function storeBookings(
  db: WriteDb,
  bank: GrantedBank,
  drafts: readonly BookingDraft[],
  { ids: { nextBookingId, nextEventId }, ledger, now }: StoreInput,
): Promise<void> {
  for (const draft of drafts) requireValidDraft(draft);
  const draftsToCharge = drafts.filter(hasChargeToPost);
  if (draftsToCharge.length > 0 && ledger === undefined) throw new Error(`bank ${bank.bankId} has no ledger`);
  await requireMatchingCharges(db, bank, drafts);
  const postingIds = new Map(draftsToCharge.map((draft, index) => [draft, (ledger?.nextPostingId ?? 0) + index]));
  const rows = toBookingInsertRows(drafts, { bankId: bank.bankId, nextBookingId, nextEventId, postingIds });
  await insertBookings(db, rows);
  await orDuplicateProblem(db, 'booking-overlap', () => insertSlotsOfBookings(db, bank, rows.bookings, now));
  if (ledger !== undefined && draftsToCharge.length > 0)
    await appendPostings(db, ledger, draftsToCharge.map(toChargePosting));
}

const hasChargeToPost = ({ charge, priceMinor }: BookingDraft): boolean => charge !== undefined && priceMinor > 0n;

/** Each posting that a draft names must have charged that draft and no other booking, because refunds rely on it. */
async function requireMatchingCharges(db: WriteDb, bank: GrantedBank, drafts: readonly BookingDraft[]): Promise<void> {
  const ids = drafts.flatMap(({ postingId }) => postingId ?? []);
  const [charges, usedPostingIds] = await Promise.all([
    listChargePostings(db, bank, ids),
    listPostingIdsOfBookings(db, bank, ids),
  ]);
  const postings = new Map(charges.map((row) => [row.posting_id, row]));
  for (const id of usedPostingIds) postings.delete(id);
  for (const draft of drafts) {
    if (draft.postingId === undefined) continue;
    if (!isChargeOfDraft(postings.get(draft.postingId), draft))
      throw new RangeError(`posting ${draft.postingId} did not charge this booking`);
    postings.delete(draft.postingId);
  }
}

async function insertSlotsOfBookings(
  db: WriteDb,
  bank: GrantedBank,
  rows: readonly Tables['bookings'][],
  now: number,
): Promise<void> {
  const units = new Map(
    rows.map((row) => [formatUnitInBankKey(row), { ...requireLocationOf(bank, row.location_id), unitId: row.unit_id }]),
  );
  await Promise.all(units.values().map((unit) => deleteOldSlots(db, unit, now)));
  await insertSlots(
    db,
    bank,
    rows.filter((row) => needsSlots(row, now)),
  );
}

/** Recent slots are inserted too, because a cancelled booking that has not ended can be restored. */
const needsSlots = ({ state, end_at }: Tables['bookings'], now: number): boolean =>
  state === 'Booked' && end_at / slotMs > oldestUsefulSlot(now);
