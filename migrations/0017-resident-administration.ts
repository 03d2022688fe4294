// Adds what managers need to administer residents: search and sort keys, unique email addresses, keys, PINs, activation
// codes and histories. A bank counts the changes to its residents, and keeps the names with which periods were closed.

import type { Kysely } from 'kysely';
import type { SqlDialect } from '../src/database/db.ts';
import type { PortalMigration } from '../src/database/migration.ts';
import type { Tables } from '../src/database/tables.ts';
import { foldEmail, formatSortKey, listSearchWords } from './frozen/search-words.ts';

export const residentAdministrationMigration: PortalMigration = async (db, dialect) => {
  await addColumns(db, dialect);
  await createSearchTables(db, dialect);
  await createDetailTables(db, dialect);
  await createHistoryTables(db, dialect);
  await fillSearchKeys(db);
  await insertResidentHeads(db);
  await createIndexes(db);
};

async function addColumns({ schema }: Kysely<Tables>, { int64, text }: SqlDialect): Promise<void> {
  const addText = (name: string, length: number) =>
    schema.alterTable('residents').addColumn(name, text(length), (column) => column.notNull().defaultTo(''));
  await addText('name_key', 100).execute();
  await addText('apartment_key', 100).execute();
  await schema.alterTable('residents').addColumn('email_key', text(254)).execute();
  await schema.alterTable('residents').addColumn('phone_number', text(16)).execute();
  await schema.alterTable('residents').addColumn('pin_hash', text(255)).execute();
  await schema.alterTable('residents').addColumn('erased_at', int64).execute();
  await schema
    .alterTable('banks')
    .addColumn('residents_version', int64, (column) => column.notNull().defaultTo(0))
    .execute();
}

async function createSearchTables({ schema }: Kysely<Tables>, dialect: SqlDialect): Promise<void> {
  const { int64, text, withTableOptions } = dialect;
  await withTableOptions(
    schema
      .createTable('resident_heads')
      .addColumn('bank_id', int64, (column) => column.primaryKey().notNull())
      .addColumn('allocated', int64, (column) => column.notNull()),
  ).execute();
  await withTableOptions(
    schema
      .createTable('resident_words')
      .addColumn('bank_id', int64, (column) => column.notNull())
      .addColumn('word', text(64), (column) => column.notNull())
      .addColumn('resident_id', int64, (column) => column.notNull())
      .addPrimaryKeyConstraint('resident_words_pk', ['bank_id', 'word', 'resident_id']),
  ).execute();
  await schema
    .createIndex('resident_words_of_resident')
    .on('resident_words')
    .columns(['bank_id', 'resident_id'])
    .execute();
}

async function createDetailTables({ schema }: Kysely<Tables>, dialect: SqlDialect): Promise<void> {
  const { int64, text, withTableOptions } = dialect;
  await withTableOptions(
    schema
      .createTable('resident_keys')
      .addColumn('bank_id', int64, (column) => column.notNull())
      .addColumn('resident_id', int64, (column) => column.notNull())
      .addColumn('key_number', text(64), (column) => column.notNull())
      .addColumn('kind', text(8), (column) => column.notNull())
      .addColumn('added_at', int64, (column) => column.notNull())
      .addColumn('held_number', text(64))
      .addPrimaryKeyConstraint('resident_keys_pk', ['bank_id', 'resident_id', 'key_number']),
  ).execute();
  await schema.createIndex('resident_keys_held').unique().on('resident_keys').column('held_number').execute();
  await withTableOptions(
    schema
      .createTable('resident_activations')
      .addColumn('bank_id', int64, (column) => column.notNull())
      .addColumn('resident_id', int64, (column) => column.notNull())
      .addColumn('code', text(32), (column) => column.notNull())
      .addColumn('created_at', int64, (column) => column.notNull())
      .addColumn('used_at', int64)
      .addPrimaryKeyConstraint('resident_activations_pk', ['bank_id', 'resident_id']),
  ).execute();
  await schema.createIndex('resident_activations_by_code').unique().on('resident_activations').column('code').execute();
}

async function createHistoryTables({ schema }: Kysely<Tables>, dialect: SqlDialect): Promise<void> {
  const { int64, text, withTableOptions } = dialect;
  await withTableOptions(
    schema
      .createTable('resident_history')
      .addColumn('bank_id', int64, (column) => column.notNull())
      .addColumn('resident_id', int64, (column) => column.notNull())
      .addColumn('revision', int64, (column) => column.notNull())
      .addColumn('changed_at', int64, (column) => column.notNull())
      .addColumn('editor_id', int64)
      .addColumn('command', text(32), (column) => column.notNull())
      .addColumn('old_value', text(300))
      .addColumn('new_value', text(300))
      .addPrimaryKeyConstraint('resident_history_pk', ['bank_id', 'resident_id', 'revision']),
  ).execute();
  await withTableOptions(
    schema
      .createTable('resident_former_names')
      .addColumn('bank_id', int64, (column) => column.notNull())
      .addColumn('resident_id', int64, (column) => column.notNull())
      .addColumn('through_period', int64, (column) => column.notNull())
      .addColumn('name', text(200), (column) => column.notNull())
      .addPrimaryKeyConstraint('resident_former_names_pk', ['bank_id', 'resident_id', 'through_period']),
  ).execute();
}

const batchSize = 500;

/** A run that was stopped is begun again. */
async function fillSearchKeys(db: Kysely<Tables>): Promise<void> {
  await db.deleteFrom('resident_words').execute();
  const banks = await db.selectFrom('banks').select('bank_id').orderBy('bank_id').execute();
  for (const { bank_id: bankId } of banks) await fillSearchKeysOfBank(db, bankId);
}

async function fillSearchKeysOfBank(db: Kysely<Tables>, bankId: number): Promise<void> {
  // Of residents with the same email address, the first one keeps it from being given to others.
  const emails = new Set<string>();
  let lastId = 0;
  for (;;) {
    const rows = await db
      .selectFrom('residents')
      .select(['resident_id', 'name', 'apartment', 'email', 'phone', 'deleted_at', 'expired_at'])
      .where('bank_id', '=', bankId)
      .where('resident_id', '>', lastId)
      .orderBy('resident_id')
      .limit(batchSize)
      .execute();
    if (rows.length === 0) return;
    for (const row of rows) {
      const email = row.deleted_at === null && row.expired_at === null ? foldEmail(row.email) : '';
      const emailKey = email === '' || emails.has(email) ? null : email;
      emails.add(email);
      await db
        .updateTable('residents')
        .set({ name_key: formatSortKey(row.name), apartment_key: formatSortKey(row.apartment), email_key: emailKey })
        .where('bank_id', '=', bankId)
        .where('resident_id', '=', row.resident_id)
        .execute();
      const id = row.resident_id;
      const phoneDigits = row.phone.replaceAll(/\D/g, '');
      const words = listSearchWords([row.name, row.apartment, row.email, phoneDigits, `${id}`, `r${id}`]);
      await db
        .insertInto('resident_words')
        .values(words.map((word) => ({ bank_id: bankId, word, resident_id: id })))
        .execute();
      lastId = id;
    }
  }
}

// Ids of residents follow that of the guest.
const guestUserId = 1000;

async function insertResidentHeads(db: Kysely<Tables>): Promise<void> {
  await db.deleteFrom('resident_heads').execute();
  await db
    .insertInto('resident_heads')
    .columns(['bank_id', 'allocated'])
    .expression((eb) =>
      eb
        .selectFrom('residents')
        .select(({ fn, eb: { lit } }) => [
          'bank_id',
          eb(fn.max<number>('resident_id'), '-', lit(guestUserId)).as('allocated'),
        ])
        .where('resident_id', '>', guestUserId)
        .groupBy('bank_id'),
    )
    .execute();
}

async function createIndexes({ schema }: Kysely<Tables>): Promise<void> {
  const createIndex = (name: string, columns: string[]) =>
    schema.createIndex(name).on('residents').columns(columns).execute();
  await schema.createIndex('residents_by_email').unique().on('residents').columns(['bank_id', 'email_key']).execute();
  // With all that decides whether a list shows a resident, so that it passes over others without reading them.
  const shown = ['enabled', 'deleted_at', 'expired_at'];
  await createIndex('residents_by_name', ['bank_id', 'name_key', 'resident_id', 'location_id', ...shown]);
  await createIndex('residents_by_apartment', ['bank_id', 'apartment_key', 'resident_id', 'location_id', ...shown]);
  await createIndex('residents_of_location', ['bank_id', 'location_id', 'name_key', 'resident_id', ...shown]);
}
