// Adds who made the key of a service, and when.

import { sql } from 'kysely';
import type { PortalMigration } from '../src/database/migration.ts';

export const serviceKeyMakersMigration: PortalMigration = async (db, { int64 }) => {
  for (const column of ['api_key_made_by', 'api_key_made_at'])
    await db.schema.alterTable('services').addColumn(column, int64).execute();
  // The history has every key that was ever made, with the manager and the time.
  for (const [column, source] of [
    ['api_key_made_by', 'editor_id'],
    ['api_key_made_at', 'changed_at'],
  ] as const)
    await sql`
      update services
      set ${sql.ref(column)} = (
        select h.${sql.ref(source)} from service_history h
        where h.service_id = services.service_id and h.field in ('ApiKeyHash', 'ApiKeyHash, ReadAccess')
        order by h.revision desc limit 1
      )
      where api_key_hash is not null`.execute(db);
};
