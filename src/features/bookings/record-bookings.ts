// The way in for bookings that residents and devices make, and for those that come from elsewhere: the booking, the event
// that made it, its time and its charge, in one transaction whose first statements these are.

import type { WriteDb } from '../../database/db.ts';
import { insertRows } from '../../database/insert-rows.ts';
import type { Tables } from '../../database/tables.ts';
import { appendPostings } from '../account/queries/ledger.ts';
import { toChargePosting, isChargeOfDraft, toBookingInsertRows, type BookingDraft } from './rules/booking-draft.ts';
import { deleteOldSlots, listChargePostings, listPostingIdsOfBookings, toSlotRows } from './queries/booking-events.ts';
import { reserveBookingIds } from './queries/booking-ids.ts';
import { requireValidInterval, oldestUsefulSlot, slotMs } from './rules/slots.ts';
import { insertSlots } from './queries/slots.ts';

/** Records one booking; answers the id of its event. */
export const recordBooking = (db: WriteDb, bankId: number, draft: BookingDraft, now: number): Promise<number> =>
  recordBookings(db, bankId, [draft], now);

/**
 * Records bookings in the order given; answers the id of the first event, which those of the others follow (one that was
 * cancelled has two). Throws a RangeError for what is no booking, or names a posting that did not charge it, and 409
 * booking-overlap where a time is taken.
 */
export async function recordBookings(
  db: WriteDb,
  bankId: number,
  drafts: readonly BookingDraft[],
  now: number,
): Promise<number> {
  for (const draft of drafts) requireValidDraft(draft);
  const draftsToCharge = drafts.filter(hasChargeToPost);
  const reservedIds = await reserveBookingIds(db, bankId, {
    bookings: drafts.length,
    events: drafts.length + drafts.filter(({ cancelled }) => cancelled !== undefined).length,
    postings: draftsToCharge.length,
  });
  const { ledger } = reservedIds;
  if (draftsToCharge.length > 0 && ledger === undefined) throw new Error(`bank ${bankId} has no ledger`);
  await requireMatchingCharges(db, bankId, drafts);
  const rows = toBookingInsertRows(
    bankId,
    drafts,
    reservedIds,
    new Map(draftsToCharge.map((draft, at) => [draft, (ledger?.nextPostingId ?? 0) + at])),
  );
  await insertRows(db, 'bookings', rows.bookings);
  await insertRows(db, 'booking_events', rows.events);
  await insertSlotsOfBookings(db, rows.bookings, now);
  if (ledger !== undefined && draftsToCharge.length > 0)
    await appendPostings(db, ledger, draftsToCharge.map(toChargePosting));
  return reservedIds.nextEventId;
}

function requireValidDraft({ startAt, endAt, priceMinor, currency, charge, postingId, cancelled }: BookingDraft): void {
  requireValidInterval(startAt, endAt);
  if (priceMinor < 0n || BigInt.asIntN(64, priceMinor) !== priceMinor)
    throw new RangeError('a booking’s price is no negative number, and fits 64 bits');
  if (!/^[A-Z]{3}$/.test(currency)) throw new RangeError('a booking’s currency must be an ISO 4217 code');
  if (charge !== undefined && (postingId !== undefined || cancelled !== undefined))
    throw new RangeError('a booking is charged once, and not when it is cancelled');
}

const hasChargeToPost = ({ charge, priceMinor }: BookingDraft): boolean => charge !== undefined && priceMinor > 0n;

/** Whatever is given back later is what these postings took, each for one booking. */
async function requireMatchingCharges(db: WriteDb, bankId: number, drafts: readonly BookingDraft[]): Promise<void> {
  const ids = drafts.flatMap(({ postingId }) => postingId ?? []);
  const [charges, usedPostingIds] = await Promise.all([
    listChargePostings(db, bankId, ids),
    listPostingIdsOfBookings(db, bankId, ids),
  ]);
  const postings = new Map(charges.map((row) => [row.posting_id, row]));
  for (const id of usedPostingIds) postings.delete(id);
  for (const draft of drafts) {
    if (draft.postingId === undefined) continue;
    if (!isChargeOfDraft(postings.get(draft.postingId), draft))
      throw new RangeError(`posting ${draft.postingId} is not what charged this booking`);
    postings.delete(draft.postingId);
  }
}

/** The times of the last weeks are kept as well: a booking that still runs may be restored among them. */
const needsSlots = ({ state, end_at }: Tables['bookings'], now: number): boolean =>
  state === 'Booked' && end_at / slotMs > oldestUsefulSlot(now);

async function insertSlotsOfBookings(db: WriteDb, rows: readonly Tables['bookings'][], now: number): Promise<void> {
  const units = new Map(rows.map((row) => [`${row.location_id}/${row.unit_id}`, row]));
  await Promise.all(units.values().map((row) => deleteOldSlots(db, row, now)));
  await insertSlots(
    db,
    rows.filter((row) => needsSlots(row, now)).flatMap((row) => toSlotRows(row)),
  );
}
