// Takes imported bookings back: each is cancelled, as far as ExecuteBankBookingCommand would cancel it.

import type { LockableDb } from '../../../database/db.ts';
import { takeLocks } from '../../../database/locks.ts';
import { parseKid } from '../../../lib/kid.ts';
import { decideRecordingTime } from '../../../lib/time/recording-time.ts';
import { requireLocationOf } from '../../../permissions/coverage.ts';
import { findLedgerHead } from '../../account/queries/ledger-head.ts';
import { latestTimeOf } from '../../account/rules/posting-draft.ts';
import type { AuditContext } from '../../audit/rules/audit-context.ts';
import { createRefusalProblem } from '../../bookings/answers.ts';
import { changeBooking } from '../../bookings/change-booking.ts';
import { bookingsLock } from '../../bookings/queries/booking-ids.ts';
import { findBookingByEvent } from '../../bookings/queries/bookings.ts';
import { readConditionsOfWrite } from '../../bookings/read-bookings.ts';
import { listRefusalCodes } from '../../bookings/rules/allowed-commands.ts';
import { answersOf } from '../rules/answers.ts';
import type { ImportKind, ImportTarget, UndoableRow, UndoneRow } from '../import-kind.ts';

export const undoBookings: ImportKind['undo'] = async (db, actor, target, rows) => {
  const undone = new Map<UndoableRow, UndoneRow>();
  for (const row of rows) undone.set(row, await cancelBooking(db, actor, target, row));
  return answersOf(undone);
};

async function cancelBooking(
  db: LockableDb,
  actor: AuditContext,
  { tenant, bank }: ImportTarget,
  { objectKid }: UndoableRow,
): Promise<UndoneRow> {
  const eventId = Number(parseKid(objectKid, tenant.name, ['event'])?.eventId);
  const row = await findBookingByEvent(db, bank, eventId);
  if (row === undefined) return { errors: [{ field: 'kid', code: 'not-found', text: 'There is no such booking.' }] };
  const unit = { ...requireLocationOf(bank, row.location_id), unitId: row.unit_id };
  const booking = { bank, unit, row };
  const conditions = await readConditionsOfWrite(db, booking, { now: actor.now, tenant });
  const [code] = listRefusalCodes('Cancel', conditions, actor.now);
  if (code !== undefined) {
    const { message, details } = createRefusalProblem(code);
    return { errors: [{ field: 'kid', code, text: details.detail ?? message }] };
  }
  const [{ nextEventId }] = await takeLocks(db, [bookingsLock(bank, { bookings: 0, events: 1 })]);
  const ledger = await findLedgerHead(db, bank);
  const times = { now: actor.now, currentTime: actor.readClock() };
  const recordedAt = ledger === undefined ? actor.now : decideRecordingTime(latestTimeOf(ledger), times);
  await changeBooking(db, { actor, tenant }, booking, { command: 'Cancel', eventId: nextEventId, recordedAt });
  return { revision: String(nextEventId) };
}
