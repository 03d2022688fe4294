// The way in for bookings that residents and devices make, and for those that come from elsewhere: the booking, the event
// that made it, its time and its charge, in one transaction whose first statements these are.

import type { WriteDb } from '../../database/dialect.ts';
import { insertRows } from '../../database/insert.ts';
import type { Tables } from '../../database/tables.ts';
import { Problem } from '../../lib/problem.ts';
import { appendPostings } from '../account/ledger.ts';
import { chargeOf, rowsOf, type BookingDraft } from './record-rows.ts';
import { slotRows } from './queries/events.ts';
import { bumpHeads } from './queries/heads.ts';
import { demandSlots, oldestUsefulSlot, slotMs } from './rules/slots.ts';

/** Records one booking; answers the id of its event. */
export const recordBooking = (db: WriteDb, bankId: number, draft: BookingDraft, now: number): Promise<number> =>
  recordBookings(db, bankId, [draft], now);

/**
 * Records bookings in the order given; answers the id of the first event, which those of the others follow (one that was
 * cancelled has two). Throws a RangeError for times that are no slots, and 409 booking-overlap where a time is taken.
 */
export async function recordBookings(
  db: WriteDb,
  bankId: number,
  drafts: readonly BookingDraft[],
  now: number,
): Promise<number> {
  for (const draft of drafts) check(draft);
  const charges = drafts.flatMap((draft, at) => (isCharged(draft) ? [at] : []));
  const heads = await bumpHeads(db, bankId, {
    bookings: drafts.length,
    events: drafts.length + drafts.filter(({ cancelled }) => cancelled !== undefined).length,
    postings: charges.length,
  });
  if (heads === undefined) throw new Error(`bank ${bankId} has no bookings`);
  const { ledger } = heads;
  if (charges.length > 0 && ledger === undefined) throw new Error(`bank ${bankId} has no ledger`);
  const postings = new Map(charges.map((at, index) => [at, (ledger?.nextId ?? 0) + index]));
  const rows = rowsOf(bankId, drafts, heads, postings);
  const slots = rows.bookings.flatMap((row) => (needsSlots(row, now) ? slotRows(row) : []));
  await insertRows(db, 'bookings', rows.bookings);
  await insertRows(db, 'booking_events', rows.events);
  await takeAll(db, slots);
  if (ledger !== undefined && charges.length > 0)
    await appendPostings(
      db,
      ledger,
      charges.map((at) => chargeOf(drafts[at] as BookingDraft)),
    );
  return heads.nextEventId;
}

function check({ startAt, endAt, priceMinor, currency, charge, postingId, cancelled }: BookingDraft): void {
  demandSlots(startAt, endAt);
  if (priceMinor < 0n || BigInt.asIntN(64, priceMinor) !== priceMinor)
    throw new RangeError('a booking’s price is no negative number, and fits 64 bits');
  if (!/^[A-Z]{3}$/.test(currency)) throw new RangeError('a booking’s currency must be an ISO 4217 code');
  if (charge !== undefined && (postingId !== undefined || cancelled !== undefined))
    throw new RangeError('a booking is charged once, and not when it is cancelled');
}

const isCharged = ({ charge, priceMinor }: BookingDraft): boolean => charge !== undefined && priceMinor > 0n;

/** The times of the last weeks are kept as well: a booking that still runs may be restored among them. */
const needsSlots = ({ state, end_at }: Tables['bookings'], now: number): boolean =>
  state === 'Booked' && end_at / slotMs > oldestUsefulSlot(now);

async function takeAll(db: WriteDb, slots: readonly Tables['booking_slots'][]): Promise<void> {
  try {
    await insertRows(db, 'booking_slots', slots);
  } catch (error) {
    throw db.words.classify(error) === 'duplicate' ? new Problem('booking-overlap', { cause: error }) : error;
  }
}
