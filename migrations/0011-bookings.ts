// Creates bookings of units, their events, and the time slots that they take.

import { sql, type Kysely } from 'kysely';
import type { PortalMigration } from '../src/database/migration.ts';
import type { Tables } from '../src/database/tables.ts';

export const bookingsMigration: PortalMigration = async (db, { int64, text, withTableOptions }) => {
  const { schema } = db;
  await withTableOptions(
    schema
      .createTable('booking_heads')
      .addColumn('bank_id', int64, (column) => column.primaryKey().notNull())
      .addColumn('bookings', int64, (column) => column.notNull())
      .addColumn('events', int64, (column) => column.notNull()),
  ).execute();
  await insertBookingHeads(db);
  await withTableOptions(
    schema
      .createTable('bookings')
      .addColumn('bank_id', int64, (column) => column.notNull())
      .addColumn('booking_id', int64, (column) => column.notNull())
      .addColumn('location_id', int64, (column) => column.notNull())
      .addColumn('unit_id', int64, (column) => column.notNull())
      .addColumn('user_id', int64, (column) => column.notNull())
      .addColumn('start_at', int64, (column) => column.notNull())
      .addColumn('end_at', int64, (column) => column.notNull())
      .addColumn('state', text(16), (column) => column.notNull())
      .addColumn('price_minor', int64, (column) => column.notNull())
      .addColumn('currency', text(3), (column) => column.notNull())
      .addColumn('event_id', int64, (column) => column.notNull())
      .addPrimaryKeyConstraint('bookings_pk', ['bank_id', 'booking_id']),
  ).execute();
  for (const [name, columns] of [
    ['bookings_by_start', ['bank_id', 'start_at', 'booking_id']],
    ['bookings_by_state', ['bank_id', 'state', 'start_at', 'booking_id']],
    ['bookings_by_location', ['bank_id', 'location_id', 'start_at', 'booking_id']],
    ['bookings_by_unit', ['bank_id', 'location_id', 'unit_id', 'start_at']],
    ['bookings_by_user', ['bank_id', 'user_id', 'start_at']],
  ] as const)
    await schema
      .createIndex(name)
      .on('bookings')
      .columns([...columns])
      .execute();
  await withTableOptions(
    schema
      .createTable('booking_events')
      .addColumn('bank_id', int64, (column) => column.notNull())
      .addColumn('event_id', int64, (column) => column.notNull())
      .addColumn('booking_id', int64, (column) => column.notNull())
      .addColumn('kind', text(16), (column) => column.notNull())
      .addColumn('at', int64, (column) => column.notNull())
      .addColumn('editor_id', int64)
      .addColumn('posting_id', int64)
      .addPrimaryKeyConstraint('booking_events_pk', ['bank_id', 'event_id']),
  ).execute();
  await schema
    .createIndex('booking_events_by_booking')
    .on('booking_events')
    .columns(['bank_id', 'booking_id', 'event_id'])
    .execute();
  // The key is what keeps two bookings from having the same time.
  await withTableOptions(
    schema
      .createTable('booking_slots')
      .addColumn('bank_id', int64, (column) => column.notNull())
      .addColumn('location_id', int64, (column) => column.notNull())
      .addColumn('unit_id', int64, (column) => column.notNull())
      .addColumn('slot', int64, (column) => column.notNull())
      .addColumn('booking_id', int64, (column) => column.notNull())
      .addPrimaryKeyConstraint('booking_slots_pk', ['bank_id', 'location_id', 'unit_id', 'slot']),
  ).execute();
  await schema.createIndex('booking_slots_by_booking').on('booking_slots').columns(['bank_id', 'booking_id']).execute();
};

/** Banks that are there already have no booking yet. A run that was stopped is begun again, and finds what it has opened. */
async function insertBookingHeads(db: Kysely<Tables>): Promise<void> {
  await db
    .insertInto('booking_heads')
    .columns(['bank_id', 'bookings', 'events'])
    .expression(
      db
        .selectFrom('banks as b')
        .leftJoin('booking_heads as h', 'h.bank_id', 'b.bank_id')
        .select(['b.bank_id', sql.lit(0).as('bookings'), sql.lit(0).as('events')])
        .where('h.bank_id', 'is', null),
    )
    .execute();
}
