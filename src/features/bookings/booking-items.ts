// Makes the items that represent bookings, with the commands that are allowed on each.

import type { Db } from '../../database/db.ts';
import { readCommandConditions } from './command-conditions.ts';
import type { BankBookings } from './queries/bookings.ts';
import { listAllowedCommands } from './rules/commands.ts';
import { toBookingItem, type BookingItem, type BookingItemContext } from './schemas.ts';

export type BookingItemsContext = BookingItemContext & {
  /** Whether the manager may execute commands at all; if not, none is listed. */
  readonly canExecuteCommands: boolean;
};

/** The items in the order of the rows. */
export async function readBookingItems(
  db: Db,
  { bank, rows }: BankBookings,
  context: BookingItemsContext,
): Promise<BookingItem[]> {
  const conditions = await readCommandConditions(db, { bank, rows: context.canExecuteCommands ? rows : [] }, context);
  return rows.map((row, index) => {
    const rowConditions = conditions[index];
    return toBookingItem(
      row,
      context,
      rowConditions === undefined ? [] : listAllowedCommands(rowConditions, context.now),
    );
  });
}
