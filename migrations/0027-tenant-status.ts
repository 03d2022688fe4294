// Adds what the tenant status shows and reads by: the computer and the cluster of a unit, indexes of contacts and of the
// values of settings, and the key by which replicas know the cursors of each other.

import { sql } from 'kysely';
import { randomBytes } from 'node:crypto';
import type { PortalMigration } from '../src/database/migration.ts';

export const tenantStatusMigration: PortalMigration = async (db, dialect) => {
  const { text, withTableOptions } = dialect;
  const { schema } = db;
  await schema.alterTable('units').addColumn('computer_name', text(64)).execute();
  await schema.alterTable('units').addColumn('cluster', text(32)).execute();
  await schema.createIndex('units_by_contact').on('units').columns(['last_contact_at']).execute();
  await indexErrorIds([db, dialect]);
  await withTableOptions(
    schema
      .createTable('signing_keys')
      .addColumn('name', text(32), (column) => column.primaryKey().notNull())
      .addColumn('secret', text(64), (column) => column.notNull()),
  ).execute();
  // As tables are kept from a run that was stopped, so is their row.
  const name = 'status-cursor';
  const known = db.selectFrom('signing_keys').select('name').where('name', '=', name);
  if ((await known.executeTakeFirst()) === undefined)
    await db
      .insertInto('signing_keys')
      .values({ name, secret: randomBytes(32).toString('base64url') })
      .execute();
};

/** SQLite indexes the settings with error ids alone. InnoDB knows no partial indexes, and bounds what one holds of a value. */
async function indexErrorIds([{ schema }, { engine }]: Parameters<PortalMigration>): Promise<void> {
  const index = schema.createIndex('unit_settings_by_value').on('unit_settings').column('name');
  await (
    engine === 'mysql'
      ? index.expression(sql`value(16)`)
      : index.column('value').where(sql.ref('name'), '=', sql.lit('AutoOutOfOrder'))
  ).execute();
}
