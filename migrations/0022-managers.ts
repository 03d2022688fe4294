// Adds what administrators need to list managers: words and sort keys to find them by, and when they were last seen. A
// head is the lock row of all changes of managers' rights.

import type { Kysely } from 'kysely';
import type { PortalMigration } from '../src/database/migration.ts';
import type { Tables } from '../src/database/tables.ts';
import { formatSortKey, listSearchWords } from './frozen/search-words.ts';

export const managerAdministrationMigration: PortalMigration = async (db, dialect) => {
  await createTables(db, dialect);
  await fillSearchKeys(db);
  const { schema } = db;
  // With all that decides whether a list shows a manager, so that it passes over others without reading them.
  const listed = ['name_key', 'manager_id', 'active', 'deleted_at'];
  await schema.createIndex('managers_by_name').on('managers').columns(listed).execute();
  // Who has the whole tenant.
  const place = ['bank_id', 'location_id', 'manager_id'];
  await schema.createIndex('manager_grants_by_place').on('manager_grants').columns(place).execute();
};

const createTables: PortalMigration = async (db, { int64, text, withTableOptions }) => {
  const { schema } = db;
  await schema
    .alterTable('managers')
    .addColumn('name_key', text(100), (column) => column.notNull().defaultTo(''))
    .execute();
  await withTableOptions(
    schema
      .createTable('manager_heads')
      .addColumn('id', int64, (column) => column.primaryKey().notNull())
      .addColumn('rights_version', int64, (column) => column.notNull()),
  ).execute();
  // As tables are kept from a run that was stopped, so is their row.
  const head = db.selectFrom('manager_heads').select('id');
  if ((await head.executeTakeFirst()) === undefined)
    await db.insertInto('manager_heads').values({ id: 1, rights_version: 0 }).execute();
  await withTableOptions(
    schema
      .createTable('manager_words')
      .addColumn('word', text(64), (column) => column.notNull())
      .addColumn('manager_id', int64, (column) => column.notNull())
      .addPrimaryKeyConstraint('manager_words_pk', ['word', 'manager_id']),
  ).execute();
  await schema.createIndex('manager_words_of_manager').on('manager_words').column('manager_id').execute();
  // Not a column of managers, so that who is seen waits for nobody whose rights are being changed.
  await withTableOptions(
    schema
      .createTable('manager_activity')
      .addColumn('manager_id', int64, (column) => column.primaryKey().notNull())
      .addColumn('last_seen_at', int64, (column) => column.notNull()),
  ).execute();
};

/** A run that was stopped is begun again. */
async function fillSearchKeys(db: Kysely<Tables>): Promise<void> {
  await db.deleteFrom('manager_words').execute();
  const managers = await db.selectFrom('managers').select(['manager_id', 'name', 'email', 'organisation']).execute();
  for (const { manager_id: managerId, name, email, organisation } of managers) {
    await db
      .updateTable('managers')
      .set({ name_key: formatSortKey(name) })
      .where('manager_id', '=', managerId)
      .execute();
    const words = listSearchWords([name, email, organisation, `${managerId}`, `m${managerId}`]);
    await db
      .insertInto('manager_words')
      .values(words.map((word) => ({ word, manager_id: managerId })))
      .execute();
  }
}
