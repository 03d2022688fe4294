// The schemas of bookings and of their list, and the function that makes an item from a row.

import { Type, type Static } from 'typebox';
import { namedEnum, namedObject } from '../../http/named-schemas.ts';
import { stringEnum, closedObject, instant, kidInput, kidOutput, minorAmount } from '../../http/schema-types.ts';
import { listQuery, listResponse } from '../../http/list-schemas.ts';
import { toJsonInt64 } from '../../lib/int64.ts';
import { formatBankKid, formatEventKid, formatLocationKid, formatUnitKid, formatUserKid } from '../../lib/kid.ts';
import { localiseName, type Language } from '../../lib/language.ts';
import { formatUtc } from '../../lib/ms2000.ts';
import type { Tenant } from '../../tenants.ts';
import { toVisibleIdentity, type IdentityVisibility } from '../residents/rules/identity.ts';
import type { BookingRow } from './queries/bookings.ts';
import {
  bookingCommands,
  displayedStates,
  displayedStateAt,
  type BookingCommand,
  type StoredState,
} from './rules/commands.ts';

export const BookingsParams = closedObject({ bankKid: kidInput('bank') });
export const BookingParams = closedObject({ bankKid: kidInput('bank'), eventKid: kidInput('event') });

const day = (description: string) => Type.Optional(Type.String({ format: 'date', description }));

export const BookingsQuerySchema = closedObject({
  from: day('First local day in timeZone; default today. A booking belongs to the day on which it starts.'),
  through: day('Last local day; default today. From `from` to `through` are at most 367 days, both included.'),
  timeZone: Type.Optional(
    Type.String({ maxLength: 64, description: 'IANA or Windows time zone; default the tenant’s.' }),
  ),
  locationKid: Type.Optional(kidInput('location')),
  unitKid: Type.Optional(kidInput('unit')),
  userKid: Type.Optional(kidInput('user')),
  state: stringEnum([...displayedStates, 'all'], 'Completed: a booked one that has ended.', { default: 'all' }),
  ...listQuery(['start', 'unit', 'user'], 'the names of unit, location and resident as they are shown'),
});

const BookingState = namedEnum('BookingState', displayedStates, 'Completed: a booked one that has ended.');

export const BookingCommandName = namedEnum(
  'BookingCommand',
  bookingCommands,
  'Cancel: releases the time; Restore: books it again if it is still free.',
);

export const BookingItem = namedObject('Booking', {
  eventKid: kidOutput('event', 'Latest event of the booking. Every command creates a new one.'),
  firstEventKid: kidOutput('event', 'First event of the booking. It identifies the booking and never changes.'),
  state: BookingState,
  startUtc: instant('Start.'),
  endUtc: instant('End.'),
  unitKid: kidOutput('unit'),
  unitName: Type.String({ description: 'In the language of the response; also of a deleted unit.' }),
  locationKid: kidOutput('location'),
  locationName: Type.String(),
  userKid: kidOutput('user', 'The resident, the guest, or the GDPR user if the identity has expired.'),
  userName: Type.String({ description: 'Empty for the guest and for an expired identity.' }),
  priceMinor: minorAmount('Price, zero or more.'),
  currency: Type.String({ description: 'ISO 4217.' }),
  commands: Type.Array(BookingCommandName, {
    description: 'Commands allowed for this manager now.',
  }),
});
export type BookingItem = Static<typeof BookingItem>;

export const BookingsAnswer = listResponse('BookingPage', BookingItem);

export type BookingItemContext = {
  readonly tenant: Tenant;
  readonly language: Language;
  readonly now: number;
  readonly identityVisibility: IdentityVisibility;
};

export function toBookingItem(
  row: BookingRow,
  context: BookingItemContext,
  allowedCommands: readonly BookingCommand[],
): BookingItem {
  const { tenant, language, now, identityVisibility } = context;
  const user = toVisibleIdentity({ ...row, recorded_at: row.start_at }, identityVisibility);
  const bankKid = formatBankKid(tenant.name, row.bank_id);
  const locationKid = formatLocationKid(bankKid, row.location_id);
  return {
    eventKid: formatEventKid(bankKid, row.event_id),
    firstEventKid: formatEventKid(bankKid, row.first_event_id),
    state: displayedStateAt({ state: row.state as StoredState, endAt: row.end_at }, now),
    startUtc: formatUtc(row.start_at),
    endUtc: formatUtc(row.end_at),
    unitKid: formatUnitKid(locationKid, row.unit_id),
    unitName: localiseName(row.unit_name ?? '', language),
    locationKid,
    locationName: row.location_name,
    userKid: formatUserKid(bankKid, user.userId),
    userName: user.name,
    priceMinor: toJsonInt64(row.price_minor),
    currency: row.currency,
    commands: [...allowedCommands],
  };
}
