// Creates the items that represent bookings, with the commands that are allowed on each.

import type { Db } from '../../database/db.ts';
import { readCommandConditions } from './read-command-conditions.ts';
import type { BankBookings } from './queries/bookings.ts';
import { listAllowedCommands } from './rules/allowed-commands.ts';
import { toBooking, type BookingContext } from './answers.ts';
import type { Booking } from './schemas.ts';

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
