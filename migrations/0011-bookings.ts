// Bookings of units, every event that made them what they are, and the slots of time that they take.

import type { PortalMigration } from '../src/database/migrate.ts';

export const bookingsMigration: PortalMigration = async (db, { int64, text, finishTable }) => {
  const { schema } = db;
  await finishTable(
    schema
      .createTable('booking_heads')
      .addColumn('bank_id', int64, (column) => column.primaryKey().notNull())
      .addColumn('next_booking_id', int64, (column) => column.notNull())
      .addColumn('next_event_id', int64, (column) => column.notNull()),
  ).execute();
  await finishTable(
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
    ['bookings_by_location', ['bank_id', 'location_id', 'start_at', 'booking_id']],
    ['bookings_by_unit', ['bank_id', 'location_id', 'unit_id', 'start_at']],
    ['bookings_by_user', ['bank_id', 'user_id', 'start_at']],
  ] as const)
    await schema
      .createIndex(name)
      .on('bookings')
      .columns([...columns])
      .execute();
  await finishTable(
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
  await finishTable(
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
