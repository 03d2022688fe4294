// Declares GetLocationBookingRules, GetBankBookings, GetBankBooking, ExecuteBankBookingCommand and
// CheckBankBookingCommand.

import { BankParams, LocationParams } from '../places/schemas.ts';
import { defineManagerOperation, type Operation } from '../../http/operations/operation.ts';
import { jsonOf } from '../../http/operations/response.ts';
import { bookingCommandAccess, bookingRulesAccess, bookingsReadAccess } from './access.ts';
import { BookingRules } from './booking-rules-schemas.ts';
import {
  BookingCommandParams,
  BookingCommandCheck,
  Booking,
  BookingParams,
  BookingPage,
  BookingsQuery,
} from './schemas.ts';
import { checkBankBookingCommand } from './operations/check-bank-booking-command.ts';
import { executeBankBookingCommand } from './operations/execute-bank-booking-command.ts';
import { getBankBooking } from './operations/get-bank-booking.ts';
import { getBankBookings } from './operations/get-bank-bookings.ts';
import { getLocationBookingRules } from './operations/get-location-booking-rules.ts';

const common = { openApiDocuments: ['portal'], group: 'Bookings', localised: true, deadlineMs: 10_000 } as const;

export const bookingsRoutes: readonly Operation[] = [
  defineManagerOperation({
    ...common,
    id: 'GetLocationBookingRules',
    method: 'GET',
    path: '/api/v1/locations/{locationKid}/booking-rules',
    summary: 'List the booking rules of a location’s units',
    description:
      'Configured rules, grouped by calendar and identical rules. Independent of residents and of free times. An invalid stored value is treated as not set and reported as a warning.',
    access: bookingRulesAccess,
    params: LocationParams,
    response: jsonOf(BookingRules),
    problemCodes: ['not-found'],
    run: ({ params: { locationKid } }, context) => getLocationBookingRules(context, locationKid),
  }),
  defineManagerOperation({
    ...common,
    id: 'GetBankBookings',
    method: 'GET',
    path: '/api/v1/banks/{bankKid}/bookings',
    summary: 'List a bank’s bookings',
    description:
      'Returns bookings that start on the selected local days in locations covered by the grants. Bookings of deleted locations are excluded, of deleted units included. A location or unit that is not covered, and a user whose identity has expired, match nothing. `commands` is empty without Unit Write.',
    access: bookingsReadAccess,
    params: BankParams,
    query: BookingsQuery,
    response: jsonOf(BookingPage),
    problemCodes: ['not-found'],
    run: ({ params: { bankKid }, query }, context) => getBankBookings(context, { bankKid, query }),
  }),
  defineManagerOperation({
    ...common,
    id: 'GetBankBooking',
    method: 'GET',
    path: '/api/v1/banks/{bankKid}/bookings/{eventKid}',
    summary: 'Read a booking',
    description:
      'Finds the booking by any of its events, the latest or an earlier one, and returns it as it is now. `firstEventKid` identifies a booking permanently. `commands` is empty without Unit Write.',
    access: bookingsReadAccess,
    params: BookingParams,
    response: jsonOf(Booking),
    problemCodes: ['not-found'],
    run: ({ params }, context) => getBankBooking(context, params),
  }),
  defineManagerOperation({
    ...common,
    id: 'ExecuteBankBookingCommand',
    method: 'POST',
    path: '/api/v1/banks/{bankKid}/bookings/{eventKid}/commands/{command}',
    summary: 'Cancel or restore a booking',
    description:
      'Creates a new event; the given event KID is then outdated (409 with the current one). A cancellation posts the refund of a charged booking: the rules’ percentage of the price, rounded half up, less their fee, at least zero and at most the charge. A restoration takes back exactly that refund. It checks that the time is free, the notice, the horizon and the resident’s limits; not opening hours or bookable hours.',
    access: bookingCommandAccess,
    params: BookingCommandParams,
    response: jsonOf(Booking),
    problemCodes: ['not-found', 'booking-conflict', 'booking-overlap', 'booking-ended', 'booking-not-allowed'],
    acceptsIdempotencyKey: true,
    run: ({ params }, context) => executeBankBookingCommand(context, params),
  }),
  defineManagerOperation({
    ...common,
    id: 'CheckBankBookingCommand',
    method: 'GET',
    path: '/api/v1/banks/{bankKid}/bookings/{eventKid}/commands/{command}/check',
    summary: 'Check whether a command on a booking is allowed',
    description:
      'Uses the same rules as the command. Each text is a reason for refusal. The limits are those of the unit’s calendar in its location, counted in the location’s local days, ISO weeks and months.',
    access: bookingCommandAccess,
    params: BookingCommandParams,
    response: jsonOf(BookingCommandCheck),
    problemCodes: ['not-found', 'booking-conflict'],
    run: ({ params }, context) => checkBankBookingCommand(context, params),
  }),
];
