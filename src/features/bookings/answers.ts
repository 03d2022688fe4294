// Makes bookings, and the check of a command, for answers.

import bookingCodes from '../../../locales/booking-codes.json' with { type: 'json' };
import { toJsonInt64 } from '../../lib/values/int64.ts';
import { formatBankKid, formatEventKid, formatLocationKid, formatUnitKid, formatUserKid } from '../../lib/kid.ts';
import { localiseName, localisedTexts, type Language } from '../../lib/text/language.ts';
import { formatUtc } from '../../lib/time/ms2000.ts';
import type { Tenant } from '../../tenants.ts';
import { resolveLocationTimeZone } from '../places/rules/location-time-zone.ts';
import { toVisibleIdentity, type IdentityVisibility } from '../residents/rules/identity.ts';
import type { BookingRow } from './queries/bookings.ts';
import { displayedStateAt, type StoredState, type CommandDecision } from './rules/allowed-commands.ts';
import type { Booking, BookingCommandCheck } from './schemas.ts';
import { Problem } from '../../lib/problem.ts';
import type { RefusalCode } from './rules/refusal-codes.ts';

export type BookingContext = {
  readonly tenant: Tenant;
  readonly language: Language;
  readonly now: number;
  readonly identityVisibility: IdentityVisibility;
};

export function toBooking(
  row: BookingRow,
  context: BookingContext,
  allowedCommands: Readonly<Booking['commands']>,
): Booking {
  const { tenant, language, now, identityVisibility } = context;
  const resident = toVisibleIdentity({ ...row, recorded_at: row.start_at }, identityVisibility);
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
    timeZone: resolveLocationTimeZone(row.time_zone, tenant),
    userKid: formatUserKid(bankKid, resident.residentId),
    userName: resident.name,
    priceMinor: toJsonInt64(row.price_minor),
    currency: row.currency,
    commands: [...allowedCommands],
  };
}

const refusalTexts = localisedTexts(bookingCodes);

const refusalText = (code: RefusalCode, language: Language): string => refusalTexts[language].get(code) ?? code;

/** The problem with which a command is refused. An overlap is found by the write of the slots. */
export const createRefusalProblem = (code: RefusalCode): Problem =>
  code === 'ended'
    ? new Problem('booking-ended')
    : new Problem('booking-not-allowed', { reason: code, detail: refusalText(code, 'en') });

export const toBookingCommandCheck = (
  { allowed, codes, possibleAt }: CommandDecision,
  language: Language,
): BookingCommandCheck => ({
  allowed,
  codes: codes.map((code) => ({ code, text: refusalText(code, language) })),
  possibleAtUtc: possibleAt === null ? null : formatUtc(possibleAt),
});
