// The schemas of bookings, of their list and of the commands on them.

import { Type, type Static } from 'typebox';
import { listQuery, listResponse } from '../../http/schemas/list-schemas.ts';
import { namedEnum, namedObject, nullable } from '../../http/schemas/named-schemas.ts';
import {
  stringEnum,
  closedObject,
  instant,
  kidInput,
  kidOutput,
  minorAmount,
  timeZoneOfLocation,
} from '../../http/schemas/schema-types.ts';
import { bookingCommands, displayedStates } from './rules/allowed-commands.ts';
import { refusalCodes } from './rules/refusal-codes.ts';

export const BookingParams = closedObject({ bankKid: kidInput('bank'), eventKid: kidInput('event') });

const day = (description: string) => Type.Optional(Type.String({ format: 'date', description }));

export const BookingsQuery = closedObject({
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

const BookingCommand = namedEnum(
  'BookingCommand',
  bookingCommands,
  'Cancel: releases the time; Restore: books it again if it is still free.',
);

export const Booking = namedObject('Booking', {
  eventKid: kidOutput('event', 'Latest event of the booking. Every command creates a new one.'),
  firstEventKid: kidOutput('event', 'First event of the booking. It identifies the booking and never changes.'),
  state: BookingState,
  startUtc: instant('Start.'),
  endUtc: instant('End.'),
  unitKid: kidOutput('unit'),
  unitName: Type.String({ description: 'In the language of the response; also of a deleted unit.' }),
  locationKid: kidOutput('location'),
  locationName: Type.String(),
  timeZone: timeZoneOfLocation,
  userKid: kidOutput('user', 'The resident, the guest, or the GDPR user if the identity has expired.'),
  userName: Type.String({ description: 'Empty for the guest and for an expired identity.' }),
  priceMinor: minorAmount('Price, zero or more.'),
  currency: Type.String({ description: 'ISO 4217.' }),
  commands: Type.Array(BookingCommand, { description: 'Commands allowed for this manager now.' }),
});
export type Booking = Static<typeof Booking>;

export const BookingPage = listResponse('BookingPage', Booking);

export const BookingCommandParams = closedObject({
  bankKid: kidInput('bank'),
  eventKid: kidInput('event'),
  command: BookingCommand,
});

const BookingRefusal = namedObject('BookingRefusal', {
  code: namedEnum('BookingRefusalCode', refusalCodes, 'Stable.'),
  text: Type.String({ description: 'Reason, in the language of the response.' }),
});

export const BookingCommandCheck = namedObject('BookingCommandCheck', {
  allowed: Type.Boolean({ description: 'Whether the command would succeed now.' }),
  codes: Type.Array(BookingRefusal, { description: 'All reasons for refusal; the command reports the first.' }),
  possibleAtUtc: nullable(
    instant(
      'Earliest time at which the command becomes allowed if nothing else changes; null if it is allowed now or never will be.',
    ),
  ),
});
export type BookingCommandCheck = Static<typeof BookingCommandCheck>;
