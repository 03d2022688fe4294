// GetBankBookings, ExecuteBankBookingCommand and CheckBankBookingCommand.

import { defineManagerOperation, type OperationAccess, type Operation } from '../../http/operation.ts';
import { checkBankBookingCommand } from './operations/check-bank-booking-command.ts';
import { executeBankBookingCommand } from './operations/execute-bank-booking-command.ts';
import { getBankBookings } from './operations/get-bank-bookings.ts';
import { refusalCodes } from './rules/refusal-codes.ts';
import {
  BookingItem,
  BookingsAnswer,
  BookingsParams,
  BookingsQuerySchema,
  CommandCheckAnswer,
  BookingCommandParams,
} from './schemas.ts';

const deadlineMs = 10_000;

const readAccess: OperationAccess = {
  tabs: ['Bookings1'],
  permissions: ['Bank.Read', 'Location.Read', 'Unit.Read', 'User.Read'],
  grantLevel: 'location',
};
const commandAccess: OperationAccess = {
  ...readAccess,
  permissions: [...(readAccess.permissions ?? []), 'Unit.Write'],
};

// What speaks against a command without a code of its own among the problems.
const refusalReasons = refusalCodes.filter((code) => code !== 'ended' && code !== 'overlap').join(', ');

export function bookingsRoutes(): Operation[] {
  return [
    defineManagerOperation({
      id: 'GetBankBookings',
      method: 'GET',
      path: '/api/v1/banks/{bankKid}/bookings',
      documents: ['portal'],
      group: 'Bookings',
      summary: 'List a bank’s bookings',
      description:
        'Those that start on the local days asked for, in the locations within the grants; those of deleted locations are left out, those of deleted units stay. A place out of sight selects nothing, and neither does a user whose identity is no longer shown. `commands` needs Unit Write.',
      access: readAccess,
      params: BookingsParams,
      query: BookingsQuerySchema,
      response: BookingsAnswer,
      problemCodes: ['not-found'],
      localised: true,
      deadlineMs,
      run: ({ params: { bankKid }, query }, context) => getBankBookings(context, bankKid.bankId, query),
    }),
    defineManagerOperation({
      id: 'ExecuteBankBookingCommand',
      method: 'POST',
      path: '/api/v1/banks/{bankKid}/bookings/{eventKid}/commands/{command}',
      documents: ['portal'],
      group: 'Bookings',
      summary: 'Cancel or restore a booking',
      description: `Makes a new event, so that the event KID given is stale from then on. A charged booking that is cancelled gets its refund posted: the rules’ percentage of the price, rounded half up, less their fee, never below nothing nor above the charge. Restoring takes back exactly what was refunded; it asks whether the time is free, and for notice, horizon and the resident’s limits, not for opening or bookable hours. \`booking-not-allowed\` has one of the reasons ${refusalReasons}.`,
      access: commandAccess,
      params: BookingCommandParams,
      response: BookingItem,
      problemCodes: ['not-found', 'booking-conflict', 'booking-overlap', 'booking-ended', 'booking-not-allowed'],
      localised: true,
      acceptsIdempotencyKey: true,
      deadlineMs,
      run: ({ params: { bankKid, eventKid, command } }, context) =>
        executeBankBookingCommand(context, { bankId: bankKid.bankId, event: eventKid, command }),
    }),
    defineManagerOperation({
      id: 'CheckBankBookingCommand',
      method: 'GET',
      path: '/api/v1/banks/{bankKid}/bookings/{eventKid}/commands/{command}/check',
      documents: ['portal'],
      group: 'Bookings',
      summary: 'Ask whether a booking’s command would be allowed',
      description:
        'By the code that decides about the command itself. Each text says what speaks against it; the limits are those of the unit’s calendar in its location, counted in the location’s local days, ISO weeks and months.',
      access: commandAccess,
      params: BookingCommandParams,
      response: CommandCheckAnswer,
      problemCodes: ['not-found', 'booking-conflict'],
      localised: true,
      deadlineMs,
      run: ({ params: { bankKid, eventKid, command } }, context) =>
        checkBankBookingCommand(context, { bankId: bankKid.bankId, event: eventKid, command }),
    }),
  ];
}
