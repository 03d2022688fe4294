// Finds the booking of a command by its event KID. Throws the same 404 whether the event does not exist, belongs to
// another bank or to a deleted location, or is not covered by the grants; throws 409 if it is not the latest event of
// its booking.

import type { Db } from '../../database/db.ts';
import type { KidOf } from '../../lib/kid.ts';
import { Problem } from '../../lib/problem.ts';
import { requireCoveredBank, requireLocationOf, type GrantedBank } from '../../permissions/coverage.ts';
import type { Scope } from '../../permissions/scope.ts';
import { findBookingByEvent, type GrantedBooking } from './queries/bookings.ts';
import type { BookingCommand } from './rules/commands.ts';

export type BookingCommandInput = {
  readonly bankKid: KidOf<'bank'>;
  readonly eventKid: KidOf<'event'>;
  readonly command: BookingCommand;
};

/** An event of a bank that the grants cover. Whether it exists, and in which location, only the database knows. */
export type GrantedEvent = { readonly bank: GrantedBank; readonly eventId: number };

/** Throws 404 if no grant covers the bank, or the event cannot be one of the bank. Reads nothing. */
export function requireCoveredEvent(
  scope: Scope,
  { bankKid, eventKid }: Pick<BookingCommandInput, 'bankKid' | 'eventKid'>,
): GrantedEvent {
  const bank = requireCoveredBank(scope, bankKid);
  const eventId = Number(eventKid.eventId);
  if (eventKid.bankId !== bank.bankId || !Number.isSafeInteger(eventId)) throw new Problem('not-found');
  return { bank, eventId };
}

/** The booking whose latest event this is. */
export async function requireBooking(db: Db, { bank, eventId }: GrantedEvent): Promise<GrantedBooking> {
  const row = await findBookingByEvent(db, bank, eventId);
  if (row === undefined) throw new Problem('not-found');
  const location = requireLocationOf(bank, row.location_id);
  if (row.event_id !== eventId) throw new Problem('booking-conflict');
  return { bank, unit: { ...location, unitId: row.unit_id }, row };
}
