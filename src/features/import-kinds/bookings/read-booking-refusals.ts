// Finds out whether bookings of an import can be made: by the rules by which a cancelled booking is restored, at the time
// when each was made.

import type { Db } from '../../../database/db.ts';
import { guestId } from '../../../lib/kid.ts';
import { pairItems } from '../../../lib/values/pair-items.ts';
import { partsOf } from '../../../lib/values/parts.ts';
import type { GrantedBank } from '../../../permissions/coverage.ts';
import { createRefusalProblem } from '../../bookings/answers.ts';
import type { BookingRow } from '../../bookings/queries/bookings.ts';
import { readCommandConditions } from '../../bookings/read-bookings.ts';
import { listRefusalCodes } from '../../bookings/rules/allowed-commands.ts';
import type { BookingDraft } from '../../bookings/rules/booking-draft.ts';
import type { ImportTarget, RowError } from '../import-kind.ts';
import { listBookedResidents, listBookedUnits } from './queries/booked-units.ts';

/** SQLite has at most 500 parts in a union. */
const conditionsBatchSize = 200;

/** Bookings that are over, and cancelled ones, take no time: nothing is against them. */
export async function readBookingRefusals(
  db: Db,
  { tenant, bank, now }: ImportTarget,
  drafts: readonly BookingDraft[],
): Promise<ReadonlyMap<BookingDraft, RowError>> {
  const refusals = new Map<BookingDraft, RowError>();
  const ahead = drafts.filter(({ cancelled, endAt }) => cancelled === undefined && endAt > now);
  for (const batch of partsOf(ahead, conditionsBatchSize)) {
    const rows = await readCancelledRows(db, bank, batch);
    const conditions = await readCommandConditions(db, { bank, rows }, { now, tenant });
    for (const [draft, condition] of pairItems(batch, conditions)) {
      const [code] = listRefusalCodes('Restore', condition, Math.min(draft.createdAt, now));
      if (code === undefined) continue;
      const { message, details } = createRefusalProblem(code);
      const field = code === 'resident-gone' ? 'resident' : code.startsWith('unit') ? 'unit' : 'from';
      refusals.set(draft, { field, code, text: `${field}: ${details.detail ?? message}` });
    }
  }
  return refusals;
}

const nobody = { resident_name: null, resident_expired_at: null, resident_deleted_at: null };

/** The bookings as if they were cancelled: whether one can be restored is whether it can be made. No booking has its id. */
async function readCancelledRows(db: Db, bank: GrantedBank, drafts: readonly BookingDraft[]): Promise<BookingRow[]> {
  const [units, residents] = await Promise.all([
    listBookedUnits(
      db,
      bank,
      drafts.map(({ unitId }) => unitId),
    ),
    listBookedResidents(
      db,
      bank,
      drafts.map(({ residentId }) => residentId),
    ),
  ]);
  const unitsByIds = new Map(units.map((unit) => [`${unit.location_id}/${unit.unit_id}`, unit]));
  const residentsById = new Map(residents.map((resident) => [resident.resident_id, resident]));
  return drafts.map((draft, index): BookingRow => {
    const unit = unitsByIds.get(`${draft.locationId}/${draft.unitId}`);
    if (unit === undefined) throw new Error(`bank ${bank.bankId} has no unit ${draft.locationId}/${draft.unitId}`);
    return {
      ...unit,
      ...((draft.residentId === guestId ? undefined : residentsById.get(draft.residentId)) ?? nobody),
      bank_id: bank.bankId,
      booking_id: -1 - index,
      event_id: 0,
      first_event_id: 0,
      user_id: draft.residentId,
      start_at: draft.startAt,
      end_at: draft.endAt,
      state: 'Cancelled',
      price_minor: draft.priceMinor,
      currency: draft.currency,
    };
  });
}
