// The shapes of bookings and of their commands, and from rows to them.

import { Type, type Static } from 'typebox';
import {
  stringEnum,
  closedObject,
  instant,
  kidInput,
  kidOutput,
  minorAmount,
  nullable,
} from '../../http/schema-types.ts';
import { listQuery, listResponse } from '../../http/list-schemas.ts';
import { toJsonInt64 } from '../../lib/int64.ts';
import { localiseName, localisedTexts, type Language } from '../../lib/language.ts';
import { formatUtc } from '../../lib/ms2000.ts';
import { toVisibleIdentity } from '../residents/rules/identity.ts';
import type { BookingRow } from './queries/bookings.ts';
import { refusalCodes } from './rules/refusal-codes.ts';
import {
  bookingCommands,
  displayedStates,
  displayedStateAt,
  type BookingCommand,
  type StoredState,
  type CommandDecision,
} from './rules/commands.ts';

export const BookingsParams = closedObject({ bankKid: kidInput('bank') });

const day = (description: string) => Type.Optional(Type.String({ format: 'date', description }));

export const BookingsQuerySchema = closedObject({
  from: day('First local day in timeZone, inclusive; default today. A booking belongs to the day on which it starts.'),
  through: day('Last local day, inclusive; default today. At most 367 days from `from`, both counted.'),
  timeZone: Type.Optional(
    Type.String({ maxLength: 64, description: 'IANA or Windows time zone; default the tenant’s own.' }),
  ),
  locationKid: Type.Optional(kidInput('location')),
  unitKid: Type.Optional(kidInput('unit')),
  userKid: Type.Optional(kidInput('user')),
  state: stringEnum([...displayedStates, 'all'], 'Completed: was booked, and is over.', { default: 'all' }),
  ...listQuery(['start', 'unit', 'user'], 'the names of unit, location and resident, as they are shown'),
});

export const BookingCommandParams = closedObject({
  bankKid: kidInput('bank'),
  eventKid: kidInput('event'),
  command: stringEnum(
    bookingCommands,
    'Cancel: gives the time back; Restore: books it again while nobody else has it.',
  ),
});

export const BookingItem = closedObject({
  eventKid: kidOutput('event', 'The event that made the booking what it is. Every command makes another one.'),
  state: stringEnum(displayedStates, 'Completed: was booked, and is over.'),
  startUtc: instant('When it starts.'),
  endUtc: instant('When it ends.'),
  unitKid: kidOutput('unit'),
  unitName: Type.String({ description: 'In the language of the answer; of a deleted unit as well.' }),
  locationKid: kidOutput('location'),
  locationName: Type.String(),
  userKid: kidOutput('user', 'The resident, the guest, or the GDPR user where the identity has expired.'),
  userName: Type.String({ description: 'Empty for the guest and for an expired identity.' }),
  priceMinor: minorAmount('What it costs, never negative.'),
  currency: Type.String({ description: 'ISO 4217.' }),
  commands: Type.Array(stringEnum(bookingCommands, 'A command.'), {
    description: 'What this manager may do to it now.',
  }),
});
export type BookingItem = Static<typeof BookingItem>;

export const BookingsAnswer = listResponse(BookingItem);

export const CommandCheckAnswer = closedObject({
  allowed: Type.Boolean({ description: 'Whether the command would succeed now.' }),
  codes: Type.Array(
    closedObject({
      code: stringEnum(refusalCodes, 'Stable.'),
      text: Type.String({ description: 'In the language of the answer.' }),
    }),
    { description: 'Everything that speaks against it; the first is what the command would be refused for.' },
  ),
  possibleAtUtc: nullable(
    instant(
      'When it becomes possible if nothing happens but that time passes; null where it is allowed, or never again.',
    ),
  ),
});

const refusalTexts = localisedTexts('bookingCodes');

export const refusalText = (code: (typeof refusalCodes)[number], language: Language): string =>
  refusalTexts[language].get(code) ?? code;

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

export type BookingItemContext = {
  readonly tenant: string;
  readonly language: Language;
  readonly now: number;
  /** Bookings that start before it are shown without identity. */
  readonly identityCutoff: number;
};

export function toBookingItem(
  row: BookingRow,
  context: BookingItemContext,
  allowedCommands: readonly BookingCommand[],
): BookingItem {
  const { tenant, language, now, identityCutoff: cutoff } = context;
  const user = toVisibleIdentity({ ...row, recorded_at: row.start_at }, { cutoff, now });
  const bankKid = `${tenant}-B${row.bank_id}`;
  const locationKid = `${bankKid}-L${row.location_id}`;
  return {
    eventKid: `${bankKid}-E${row.event_id}`,
    state: displayedStateAt({ state: row.state as StoredState, endAt: row.end_at }, now),
    startUtc: formatUtc(row.start_at),
    endUtc: formatUtc(row.end_at),
    unitKid: `${locationKid}-U${row.unit_id}`,
    unitName: localiseName(row.unit_name ?? '', language),
    locationKid,
    locationName: row.location_name,
    userKid: `${bankKid}-R${user.userId}`,
    userName: user.name,
    priceMinor: toJsonInt64(row.price_minor),
    currency: row.currency,
    commands: [...allowedCommands],
  };
}
