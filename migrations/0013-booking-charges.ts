// Makes a posting unique to one event of one booking, so that a charge cannot be refunded twice.

import type { PortalMigration } from '../src/database/migration.ts';

export const bookingChargesMigration: PortalMigration = async ({ schema }) => {
  await schema
    .createIndex('booking_events_posting')
    .on('booking_events')
    .unique()
    .columns(['bank_id', 'posting_id'])
    .execute();
};
