// The booking that an event KID names, as far as a manager sees it. An event that is missing, of another bank, of a
// deleted location or out of the grants is one and the same 404; one that has been superseded is 409.

import type { Db } from '../../database/db.ts';
import type { KidOf } from '../../lib/kid.ts';
import { Problem } from '../../lib/problem.ts';
import { coverageOf, requireCoveredLocation } from '../../permissions/coverage.ts';
import type { Scope } from '../../permissions/scope.ts';
import { findBookingByEvent, type BookingRow } from './queries/bookings.ts';
import type { BookingCommand } from './rules/commands.ts';

export type BookingCommandInput = {
  readonly bankId: number;
  readonly event: KidOf<'event'>;
  readonly command: BookingCommand;
};

/** The event's id, where one can be there at all; throws 404 before anything is read or locked for somebody else. */
export function requireEventId({ grants }: Scope, { bankId, event }: BookingCommandInput): number {
  const eventId = Number(event.eventId);
  if (event.bankId !== bankId || coverageOf(grants, bankId) === undefined || !Number.isSafeInteger(eventId))
    throw new Problem('not-found');
  return eventId;
}

/** The booking whose latest event this is. */
export async function requireBooking(
  db: Db,
  scope: Scope,
  { bankId, eventId }: { readonly bankId: number; readonly eventId: number },
): Promise<BookingRow> {
  const row = await findBookingByEvent(db, bankId, eventId);
  if (row === undefined) throw new Problem('not-found');
  requireCoveredLocation(scope, { bankId, locationId: row.location_id });
  if (row.event_id !== eventId) throw new Problem('booking-conflict');
  return row;
}
