// Reads what decides the commands on bookings, with as many statements for a page of bookings as for one, and makes the items
// that represent bookings with the commands that are allowed on each.

import type { Db } from '../../database/db.ts';
import { toBooking, type BookingContext } from './answers.ts';
import type { BankBookings, BookingRow, GrantedBooking } from './queries/bookings.ts';
import { listPolicyValues, listResidentBookings, listTakenBookingIds } from './queries/condition-rows.ts';
import { type CommandConditions, type StoredState, listAllowedCommands } from './rules/allowed-commands.ts';
import { createOtherStartsLookup, limitedResidents, createPolicyLookup } from './rules/counted-bookings.ts';
import { formatUnitInBankKey } from './rules/unit-in-bank.ts';
import type { Booking } from './schemas.ts';
import { createTimeZoneResolver } from '../places/rules/location-time-zone.ts';
import { isResidentGone } from '../residents/rules/resident-visibility.ts';
import { pairItems } from '../../lib/values/pair-items.ts';
import type { Tenant } from '../../tenants.ts';

type CommandConditionsContext = { readonly now: number; readonly tenant: Tenant };

/** The conditions of each booking, in the order given. */
export async function readCommandConditions(
  db: Db,
  { bank, rows }: BankBookings,
  context: CommandConditionsContext,
): Promise<CommandConditions[]> {
  const [conditions, takenBookingIds] = await Promise.all([
    readConditionsApartFromSlots(db, { bank, rows }, context),
    listTakenBookingIds(db, { bank, rows: selectRestorable(rows, context.now) }),
  ]);
  return pairItems(conditions, rows).map(([each, { booking_id }]) => ({
    ...each,
    isTimeTaken: takenBookingIds.has(booking_id),
  }));
}

/** The conditions of one booking. */
export async function readConditionsOfBooking(
  db: Db,
  { bank, row }: GrantedBooking,
  context: CommandConditionsContext,
): Promise<CommandConditions> {
  const [conditions] = await readCommandConditions(db, { bank, rows: [row] }, context);
  return conditions!;
}

/**
 * Reads the conditions of a write that takes the slots of the booking itself, and fails if another booking has one of
 * them.
 */
export async function readConditionsOfWrite(
  db: Db,
  { bank, row }: GrantedBooking,
  context: CommandConditionsContext,
): Promise<CommandConditions> {
  const [conditions] = await readConditionsApartFromSlots(db, { bank, rows: [row] }, context);
  return { ...conditions!, isTimeTaken: false };
}

async function readConditionsApartFromSlots(
  db: Db,
  { bank, rows }: BankBookings,
  { now, tenant }: CommandConditionsContext,
): Promise<Omit<CommandConditions, 'isTimeTaken'>[]> {
  // A booking that has ended is refused only for that reason.
  const notEnded = rows.filter(({ end_at }) => end_at > now);
  const units = [...new Map(notEnded.map((row) => [formatUnitInBankKey(row), row])).values()];
  const [policyValues, residentBookings] = await Promise.all([
    listPolicyValues(db, bank, units),
    listResidentBookings(db, bank, limitedResidents(selectRestorable(rows, now), now)),
  ]);
  const policyOf = createPolicyLookup(units, policyValues);
  const otherStartsOf = createOtherStartsLookup(residentBookings);
  const resolveTimeZone = createTimeZoneResolver(tenant);
  return rows.map((row) => {
    const policy = policyOf(row);
    return {
      ...toRowConditions(row, now),
      policy,
      timeZone: resolveTimeZone(row.time_zone),
      otherStarts: otherStartsOf(row, policy),
    };
  });
}

const selectRestorable = (rows: readonly BookingRow[], now: number): readonly BookingRow[] =>
  rows.filter(({ state, end_at }) => state === 'Cancelled' && end_at > now);

/** The conditions that only the row decides. */
const toRowConditions = (row: BookingRow, now: number) => ({
  state: row.state as StoredState,
  startAt: row.start_at,
  endAt: row.end_at,
  unitState: unitStateOf(row),
  isPlaceEnabled: row.location_enabled === 1 && row.bank_enabled === 1,
  isResidentGone: isResidentGone(row, now),
});

function unitStateOf({ unit_name, unit_deleted_at, unit_enabled }: BookingRow): CommandConditions['unitState'] {
  if (unit_name === null || unit_deleted_at !== null) return 'deleted';
  return unit_enabled === 1 ? 'in-use' : 'disabled';
}

type ReadBookingsContext = BookingContext & {
  /** Whether the manager may execute commands at all; if not, none is listed. */
  readonly canExecuteCommands: boolean;
};

/** The items in the order of the rows. */
export async function readBookings(
  db: Db,
  { bank, rows }: BankBookings,
  context: ReadBookingsContext,
): Promise<Booking[]> {
  const conditions = await readCommandConditions(db, { bank, rows: context.canExecuteCommands ? rows : [] }, context);
  return rows.map((row, index) => {
    const rowConditions = conditions[index];
    return toBooking(row, context, rowConditions === undefined ? [] : listAllowedCommands(rowConditions, context.now));
  });
}
