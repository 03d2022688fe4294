// Adds the language of the answer that is stored for an Idempotency-Key.

import type { PortalMigration } from '../src/database/migration.ts';

export const idempotencyLanguagesMigration: PortalMigration = async (db, { text }) => {
  await db.schema.alterTable('idempotency_records').addColumn('language', text(8)).execute();
};
