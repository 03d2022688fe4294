// Finds out whether bookings of an import can be made: by the rules by which a cancelled booking is restored, at the time
// when each was made.

import type { Db } from '../../../database/db.ts';
import { guestId } from '../../../lib/kid.ts';
import { createRefusalProblem } from '../../bookings/answers.ts';
import type { BookingRow } from '../../bookings/queries/bookings.ts';
import { readCommandConditions } from '../../bookings/read-bookings.ts';
import { listRefusalCodes } from '../../bookings/rules/allowed-commands.ts';
import type { BookingDraft } from '../../bookings/rules/booking-draft.ts';
import type { ImportTarget, RowError } from '../import-kind.ts';
import { zipRows } from '../rules/answers.ts';
import type { BookingKnowledge } from './queries/bookings-of-rows.ts';

/** SQLite has at most 500 parts in a union. */
const conditionsBatchSize = 200;

/** Bookings that are over, and cancelled ones, take no time: nothing is against them. */
export async function readBookingRefusals(
  db: Db,
  { tenant, bank, now }: ImportTarget,
  drafts: readonly BookingDraft[],
  knowledge: BookingKnowledge,
): Promise<ReadonlyMap<BookingDraft, RowError>> {
  const ahead = drafts.filter(({ cancelled, endAt }) => cancelled === undefined && endAt > now);
  const refusals = new Map<BookingDraft, RowError>();
  for (let from = 0; from < ahead.length; from += conditionsBatchSize) {
    const batch = ahead.slice(from, from + conditionsBatchSize);
    const rows = batch.map((draft, index) => toCancelledRow(draft, knowledge, bank.bankId, -1 - index));
    const conditions = await readCommandConditions(db, { bank, rows }, { now, tenant });
    for (const [draft, condition] of zipRows(batch, conditions)) {
      const [code] = listRefusalCodes('Restore', condition, Math.min(draft.createdAt, now));
      if (code === undefined) continue;
      const { message, details } = createRefusalProblem(code);
      const field = code === 'resident-gone' ? 'resident' : code.startsWith('unit') ? 'unit' : 'from';
      refusals.set(draft, { field, code, text: `${field}: ${details.detail ?? message}` });
    }
  }
  return refusals;
}

/** The booking as if it was cancelled: whether it can be restored is whether it can be made. No booking has its id. */
function toCancelledRow(
  draft: BookingDraft,
  { units, residents }: BookingKnowledge,
  bankId: number,
  bookingId: number,
): BookingRow {
  const unit = units.get(`${draft.locationId}/${draft.unitId}`);
  if (unit === undefined) throw new Error(`bank ${bankId} has no unit ${draft.locationId}/${draft.unitId}`);
  const nobody = { resident_name: null, resident_expired_at: null, resident_deleted_at: null };
  const resident = draft.residentId === guestId ? nobody : (residents.get(draft.residentId) ?? nobody);
  return {
    ...unit,
    ...resident,
    bank_id: bankId,
    booking_id: bookingId,
    event_id: 0,
    first_event_id: 0,
    user_id: draft.residentId,
    start_at: draft.startAt,
    end_at: draft.endAt,
    state: 'Cancelled',
    price_minor: draft.priceMinor,
    currency: draft.currency,
  };
}
