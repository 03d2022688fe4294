// Finds a booking by the KID of one of its events.

import type { Db } from '../../database/db.ts';
import { formatBankKid, formatEventKid, type KidOf } from '../../lib/kid.ts';
import { Problem } from '../../lib/problem.ts';
import { requireCoveredBank, requireLocationOf, type GrantedBank } from '../../permissions/coverage.ts';
import type { Scope } from '../../permissions/scope.ts';
import { findBookingByEvent, type GrantedBooking } from './queries/bookings.ts';
import type { BookingCommand } from './rules/allowed-commands.ts';

export type BookingInput = { readonly bankKid: KidOf<'bank'>; readonly eventKid: KidOf<'event'> };
export type BookingCommandInput = BookingInput & { readonly command: BookingCommand };

/** An event of a bank that the grants cover. Whether it exists, and in which location, only the database knows. */
type GrantedEvent = { readonly bank: GrantedBank; readonly eventId: number };

/** Throws 404 if no grant covers the bank, or the event cannot be one of the bank. Reads nothing. */
export function requireCoveredEvent(scope: Scope, { bankKid, eventKid }: BookingInput): GrantedEvent {
  const bank = requireCoveredBank(scope, bankKid);
  const eventId = Number(eventKid.eventId);
  if (eventKid.bankId !== bank.bankId || !Number.isSafeInteger(eventId)) throw new Problem('not-found');
  return { bank, eventId };
}

/**
 * The booking of which this is an event, its latest or an earlier one. The 404 is the same whether the event does not
 * exist, belongs to another bank or to a deleted location, or is not covered by the grants.
 */
export async function requireBookingOfEvent(db: Db, { bank, eventId }: GrantedEvent): Promise<GrantedBooking> {
  const row = await findBookingByEvent(db, bank, eventId);
  if (row === undefined) throw new Problem('not-found');
  const location = requireLocationOf(bank, row.location_id);
  return { bank, unit: { ...location, unitId: row.unit_id }, row };
}

/** Throws 409 if the booking has a later event. A command needs the latest event of the booking. */
export function requireLatestEvent({ bank, row }: GrantedBooking, { eventId }: GrantedEvent): void {
  if (row.event_id === eventId) return;
  const currentEventKid = formatEventKid(formatBankKid(bank.tenant, bank.bankId), row.event_id);
  throw new Problem('booking-conflict', { extensions: { currentEventKid } });
}
