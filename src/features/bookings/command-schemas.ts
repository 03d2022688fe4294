// The schemas of commands on bookings and of their check.

import { Type, type Static } from 'typebox';
import { namedEnum, namedObject, nullable } from '../../http/schemas/named-schemas.ts';
import { closedObject, instant, kidInput } from '../../http/schemas/schema-types.ts';
import { refusalCodes } from './rules/refusal-codes.ts';
import { BookingCommand } from './schemas.ts';

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
  codes: Type.Array(BookingRefusal, {
    description: 'All reasons for refusal; the command reports the first.',
  }),
  possibleAtUtc: nullable(
    instant(
      'Earliest time at which the command becomes allowed if nothing else changes; null if it is allowed now or never will be.',
    ),
  ),
});
export type BookingCommandCheck = Static<typeof BookingCommandCheck>;
