// The shapes of bookings and of their commands, and from rows to them.

import { Type, type Static } from 'typebox';
import { choice, closed, instant, kidInput, kidText, minor, nullable } from '../../http/fields.ts';
import { listing, listOf } from '../../http/listing.ts';
import { jsonInt64 } from '../../lib/int64.ts';
import { gdprUserId } from '../../lib/kid.ts';
import { localiseName, textsOf, type Language } from '../../lib/language.ts';
import { utcText } from '../../lib/ms2000.ts';
import { isAnonymized } from '../account/rules/identity.ts';
import type { BookingRow } from './queries/shown.ts';
import { bookingCodes } from './rules/codes.ts';
import { commands, shownStates, stateAt, type Command, type StoredState, type Verdict } from './rules/commands.ts';

export const BookingsParams = closed({ bankKid: kidInput('bank') });

const day = (description: string) => Type.Optional(Type.String({ format: 'date', description }));

export const BookingsQuerySchema = closed({
  from: day('First local day in timeZone, inclusive; default today. A booking belongs to the day on which it starts.'),
  through: day('Last local day, inclusive; default today. At most 367 days from `from`, both counted.'),
  timeZone: Type.Optional(
    Type.String({ maxLength: 64, description: 'IANA or Windows time zone; default the tenant’s own.' }),
  ),
  locationKid: Type.Optional(kidInput('location')),
  unitKid: Type.Optional(kidInput('unit')),
  userKid: Type.Optional(kidInput('user')),
  state: choice([...shownStates, 'all'], 'Completed: was booked, and is over.', { default: 'all' }),
  ...listing(['start', 'unit', 'user'], 'the names of unit, location and resident, as they are shown'),
});

export const CommandParams = closed({
  bankKid: kidInput('bank'),
  eventKid: kidInput('event'),
  command: choice(commands, 'Cancel: gives the time back; Restore: books it again while nobody else has it.'),
});

export const BookingItem = closed({
  eventKid: kidText('event', 'The event that made the booking what it is. Every command makes another one.'),
  state: choice(shownStates, 'Completed: was booked, and is over.'),
  startUtc: instant('When it starts.'),
  endUtc: instant('When it ends.'),
  unitKid: kidText('unit'),
  unitName: Type.String({ description: 'In the language of the answer; of a deleted unit as well.' }),
  locationKid: kidText('location'),
  locationName: Type.String(),
  userKid: kidText('user', 'The resident, the guest, or the GDPR user where the identity has expired.'),
  userName: Type.String({ description: 'Empty for the guest and for an expired identity.' }),
  priceMinor: minor('What it costs, never negative.'),
  currency: Type.String({ description: 'ISO 4217.' }),
  commands: Type.Array(choice(commands, 'A command.'), { description: 'What this manager may do to it now.' }),
});
export type BookingItem = Static<typeof BookingItem>;

export const BookingsAnswer = listOf(BookingItem);

export const CheckAnswer = closed({
  allowed: Type.Boolean({ description: 'Whether the command would succeed now.' }),
  codes: Type.Array(
    closed({
      code: choice(bookingCodes, 'Stable.'),
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

const texts = textsOf('bookingCodes');

export const codeText = (code: (typeof bookingCodes)[number], language: Language): string =>
  texts[language].get(code) ?? code;

export function checkOf({ allowed, codes, possibleAt }: Verdict, language: Language): Static<typeof CheckAnswer> {
  return {
    allowed,
    codes: codes.map((code) => ({ code, text: codeText(code, language) })),
    possibleAtUtc: possibleAt === null ? null : utcText(possibleAt),
  };
}

export type ItemContext = {
  readonly tenant: string;
  readonly language: Language;
  readonly now: number;
  /** Bookings that start before it are shown without identity. */
  readonly cutoff: number;
};

/** Whether a booking is shown without its resident. */
const isUnnamed = (
  row: Pick<BookingRow, 'start_at' | 'user_id' | 'resident_expired_at'>,
  { cutoff, now }: Pick<ItemContext, 'cutoff' | 'now'>,
): boolean => isAnonymized({ ...row, recorded_at: row.start_at }, cutoff, now);

export function itemOf(row: BookingRow, context: ItemContext, allowed: readonly Command[]): BookingItem {
  const { tenant, language, now } = context;
  const unnamed = isUnnamed(row, context);
  const bankKid = `${tenant}-B${row.bank_id}`;
  const locationKid = `${bankKid}-L${row.location_id}`;
  return {
    eventKid: `${bankKid}-E${row.event_id}`,
    state: stateAt({ state: row.state as StoredState, endAt: row.end_at }, now),
    startUtc: utcText(row.start_at),
    endUtc: utcText(row.end_at),
    unitKid: `${locationKid}-U${row.unit_id}`,
    unitName: localiseName(row.unit_name ?? '', language),
    locationKid,
    locationName: row.location_name,
    userKid: `${bankKid}-R${unnamed ? gdprUserId : row.user_id}`,
    userName: unnamed ? '' : (row.resident_name ?? ''),
    priceMinor: jsonInt64(row.price_minor),
    currency: row.currency,
    commands: [...allowed],
  };
}
