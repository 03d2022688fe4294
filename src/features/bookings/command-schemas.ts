// The schemas of commands on bookings and of their check, and the texts of refusals.

import { Type, type Static } from 'typebox';
import { namedEnum, namedObject, nullable } from '../../http/named-schemas.ts';
import { closedObject, instant, kidInput } from '../../http/schema-types.ts';
import { localisedTexts, type Language } from '../../lib/language.ts';
import { formatUtc } from '../../lib/ms2000.ts';
import { Problem } from '../../lib/problem.ts';
import type { CommandDecision } from './rules/commands.ts';
import { refusalCodes, type RefusalCode } from './rules/refusal-codes.ts';
import { BookingCommandName } from './schemas.ts';

export const BookingCommandParams = closedObject({
  bankKid: kidInput('bank'),
  eventKid: kidInput('event'),
  command: BookingCommandName,
});

const BookingRefusal = namedObject('BookingRefusal', {
  code: namedEnum('BookingRefusalCode', refusalCodes, 'Stable.'),
  text: Type.String({ description: 'Reason, in the language of the response.' }),
});

export const CommandCheckAnswer = namedObject('BookingCommandCheck', {
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

const refusalTexts = localisedTexts('bookingCodes');

const refusalText = (code: RefusalCode, language: Language): string => refusalTexts[language].get(code) ?? code;

/** The problem with which a command is refused. An overlap is found by the write of the slots. */
export const createRefusalProblem = (code: RefusalCode): Problem =>
  code === 'ended'
    ? new Problem('booking-ended')
    : new Problem('booking-not-allowed', { reason: code, detail: refusalText(code, 'en') });

export function toCommandCheck(
  { allowed, codes, possibleAt }: CommandDecision,
  language: Language,
): Static<typeof CommandCheckAnswer> {
  return {
    allowed,
    codes: codes.map((code) => ({ code, text: refusalText(code, language) })),
    possibleAtUtc: possibleAt === null ? null : formatUtc(possibleAt),
  };
}
