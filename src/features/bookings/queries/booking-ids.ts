// Locks the bookings of a bank, and reserves their ids.

import { createLock, type Lock } from '../../../database/locks.ts';
import type { GrantedBank } from '../../../permissions/coverage.ts';

export type ReservedBookingIds = {
  /** The first ids of those reserved. */
  readonly nextBookingId: number;
  readonly nextEventId: number;
};

/** Every write to a bank's bookings declares it. The first booking of a bank creates its head. */
export const bookingsLock = (
  { bankId }: GrantedBank,
  { bookings, events }: { readonly bookings: number; readonly events: number },
): Lock<ReservedBookingIds> =>
  createLock('bookings', [bankId], {
    update: (db) =>
      db.dialect.upsertRows(db, 'booking_heads', [{ bank_id: bankId, bookings, events }], {
        key: ['bank_id'],
        sum: ['bookings', 'events'],
      }),
    read: async (db) => {
      const head = await db
        .selectFrom('booking_heads')
        .selectAll()
        .where('bank_id', '=', bankId)
        .executeTakeFirstOrThrow();
      return { nextBookingId: head.bookings - bookings + 1, nextEventId: head.events - events + 1 };
    },
  });
