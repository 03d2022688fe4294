// Creates a bank whose units can be booked, and its bookings, and requests them.

import type { Tables } from '../../src/database/tables.ts';
import type { LockableDb } from '../../src/database/db.ts';
import type { GrantedBank } from '../../src/permissions/coverage.ts';
import { recordBookings } from '../../src/features/bookings/record-bookings.ts';
import type { BookingDraft } from '../../src/features/bookings/rules/booking-draft.ts';
import { clearAudit } from './audit.ts';
import type { CallOptions, HttpReply } from './call.ts';
import { insertTestBank, insertTestResident, setTenantSetting } from './factories.ts';
import { grantBank } from './granted-banks.ts';
import { ms2000Of } from './account-oracle.ts';
import type { ReplyOf } from './operation-replies.ts';
import { ledgerTables } from './reversal.ts';
import type { TestService } from './service.ts';
import { readTableRows, type TableRows } from './table-rows.ts';
import { dayMs, hourMs, testNow } from './times.ts';
import { replaceSettings, type UnitIds } from './unit-settings.ts';

/** Records one booking; returns the id of its event. */
export const recordBooking = (db: LockableDb, bank: GrantedBank, draft: BookingDraft, now: number): Promise<number> =>
  recordBookings(db, bank, [draft], now);

export type SettingValues = Readonly<Record<string, string>>;
type Writer = Pick<TestService, 'write'>;

/** Replaces all settings of a unit. */
export const replaceUnitSettings = (
  { write }: Writer,
  settings: SettingValues,
  { bankId = 1001, locationId = 1, unitId = 1 }: Partial<UnitIds> = {},
): Promise<void> =>
  write('sund', (db) => replaceSettings(db, { bankId, locationId, unitId }, Object.entries(settings)));

export type BookableBankOptions = {
  readonly bankId?: number;
  readonly places?: Readonly<Record<number, readonly number[]>>;
  readonly residents?: readonly number[];
  /** Of every unit. */
  readonly settings?: SettingValues;
};

/** A bank whose units are `{washer} N` and bookable; identities are kept 400 days. */
export async function createBookableBank(service: Writer, options: BookableBankOptions = {}): Promise<void> {
  const { bankId = 1001, places = { 1: [1, 2], 2: [1] }, residents = [1001, 1002, 1003], settings = {} } = options;
  await service.write('sund', async (db) => {
    await insertTestBank(db, { bankId, places });
    for (const id of residents) await insertTestResident(db, id, { bankId });
    await setTenantSetting(db, 'accountingRetentionDays', '400');
  });
  for (const [locationId, unitIds] of Object.entries(places))
    for (const unitId of unitIds)
      await replaceUnitSettings(
        service,
        { Bookable: 'true', BookingCalendar: 'Laundry', ...settings },
        { bankId, locationId: Number(locationId), unitId },
      );
}

/** An hour's booking of resident 1001 on the first unit, tomorrow at noon UTC, made yesterday, unless told otherwise. */
export function bookingDraft(change: Partial<BookingDraft> & { readonly hours?: number } = {}): BookingDraft {
  const { hours = 1, ...rest } = change;
  const startAt = rest.startAt ?? ms2000Of('2026-06-16T12:00:00Z');
  return {
    locationId: 1,
    unitId: 1,
    residentId: 1001,
    endAt: startAt + hours * hourMs,
    priceMinor: 0n,
    currency: 'DKK',
    createdAt: testNow - dayMs,
    ...rest,
    startAt,
  };
}

/** Records a booking; returns the id of its current event. */
export async function insertBooking(
  { write }: Writer,
  change: Parameters<typeof bookingDraft>[0] = {},
  bankId = 1001,
  at = testNow,
): Promise<number> {
  const made = await write('sund', (db) => recordBooking(db, grantBank(bankId), bookingDraft(change), at));
  return change.cancelled === undefined ? made : made + 1;
}

export const cancelledAnHourAgo = { at: testNow - hourMs, editorId: null } as const;
export const bookingCharge = { text: 'Reservation fee' } as const;

export const bookingsPath = (query = '', bankId = 1001): string =>
  `/api/v1/banks/sund-B${bankId}/bookings${query === '' ? '' : `?${query}`}`;
export const commandPath = (event: number | bigint, command = 'Cancel', bankId = 1001): string =>
  `/api/v1/banks/sund-B${bankId}/bookings/sund-B${bankId}-E${event}/commands/${command}`;

type Caller = Pick<TestService, 'call'>;
type BookingCallOptions = CallOptions & { readonly bankId?: number };

export const executeCommand = (
  { call }: Caller,
  event: number,
  command: string,
  { bankId = 1001, ...options }: BookingCallOptions,
): Promise<ReplyOf<'ExecuteBankBookingCommand'>> => call('POST', commandPath(event, command, bankId), options);

export const checkCommand = (
  { call }: Caller,
  event: number,
  command: string,
  { bankId = 1001, ...options }: BookingCallOptions,
): Promise<ReplyOf<'CheckBankBookingCommand'>> => call('GET', `${commandPath(event, command, bankId)}/check`, options);

export const getBooking = (
  { call }: Caller,
  event: number | bigint,
  { bankId = 1001, ...options }: BookingCallOptions,
): Promise<ReplyOf<'GetBankBooking'>> =>
  call('GET', `/api/v1/banks/sund-B${bankId}/bookings/sund-B${bankId}-E${event}`, options);

/** The id of the event that an item has. */
export const parseEventId = ({ json }: HttpReply): number => Number(String(json.eventKid).split('-E')[1]);

const bookingTables = ['bookings', 'booking_events', 'booking_slots', 'booking_heads'] as const;

/** The only event of each booking, for bookings that a test inserts as rows. */
export const toEventRows = (bookings: readonly Tables['bookings'][]): Tables['booking_events'][] =>
  bookings.map(({ bank_id, booking_id, event_id, start_at }) => ({
    bank_id,
    event_id,
    booking_id,
    kind: 'Booked',
    at: start_at,
    editor_id: null,
    posting_id: null,
  }));

type Reader = Pick<TestService, 'read'>;

/** Sets the clock back to before the last event of a bank. */
export async function forgetLastWrite(service: Writer, bankId = 1001): Promise<void> {
  await clearAudit(service);
  await service.write('sund', (db) =>
    db.updateTable('ledgers').set({ last_write_at: 0 }).where('bank_id', '=', bankId).execute(),
  );
}

/** Every row of a bank that a command could change. */
export const readBankRows = ({ read }: Reader, bankId = 1001): Promise<TableRows> =>
  read('sund', (db) => readTableRows(db, [...ledgerTables, ...bookingTables], bankId));

export const readBookingEvents = ({ read }: Reader, bankId = 1001): Promise<Tables['booking_events'][]> =>
  read('sund', (db) =>
    db.selectFrom('booking_events').selectAll().where('bank_id', '=', bankId).orderBy('event_id').execute(),
  );

export const readBookings = ({ read }: Reader, bankId = 1001): Promise<Tables['bookings'][]> =>
  read('sund', (db) =>
    db.selectFrom('bookings').selectAll().where('bank_id', '=', bankId).orderBy('booking_id').execute(),
  );

/** How many slots each booking has, by booking id. */
export async function countSlotsByBooking({ read }: Reader, bankId = 1001): Promise<Record<number, number>> {
  const rows = await read('sund', (db) =>
    db.selectFrom('booking_slots').select('booking_id').where('bank_id', '=', bankId).execute(),
  );
  return Object.fromEntries(
    Map.groupBy(rows, ({ booking_id }) => booking_id)
      .entries()
      .map(([id, slots]) => [id, slots.length]),
  );
}

/** Changes the type of the first unit. */
export const updateBookableUnit = (
  { write }: Writer,
  change: { enabled?: number; deleted_at?: number | null },
  unitId = 1,
) =>
  write('sund', (db) =>
    db
      .updateTable('units')
      .set(change)
      .where('bank_id', '=', 1001)
      .where('location_id', '=', 1)
      .where('unit_id', '=', unitId)
      .execute(),
  );

/** Deletes the second location of bank 1001, or restores it with null. */
export const setSecondLocationDeleted = (service: TestService, deleted_at: number | null): Promise<unknown> =>
  service.write('sund', (db) =>
    db.updateTable('locations').set({ deleted_at }).where('bank_id', '=', 1001).where('location_id', '=', 2).execute(),
  );
