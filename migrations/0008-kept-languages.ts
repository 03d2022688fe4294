// The language of an answer that is kept for its Idempotency-Key.

import type { PortalMigration } from '../src/database/migration.ts';

export const idempotencyLanguagesMigration: PortalMigration = async (db, { text }) => {
  await db.schema.alterTable('idempotency_records').addColumn('language', text(8)).execute();
};
