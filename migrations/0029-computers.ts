// Adds the computers through which units are connected: their keys, what they have sent, the lines that could not be
// booked, the commands to units, and what became of records of the outbox.

import type { PortalMigration } from '../src/database/migration.ts';

export const computersMigration: PortalMigration = async (db, dialect) => {
  await createComputers(db, dialect);
  await createStreams(db, dialect);
  await createHeldLines(db, dialect);
  await createUnitCommands(db, dialect);
  await extendOutbox(db, dialect);
};

const createComputers: PortalMigration = async ({ schema }, { int64, text, withTableOptions }) => {
  await withTableOptions(
    schema
      .createTable('computer_heads')
      .addColumn('bank_id', int64, (column) => column.primaryKey().notNull())
      .addColumn('allocated', int64, (column) => column.notNull()),
  ).execute();
  await withTableOptions(
    schema
      .createTable('computers')
      .addColumn('bank_id', int64, (column) => column.notNull())
      .addColumn('computer_id', int64, (column) => column.notNull())
      .addColumn('name', text(64), (column) => column.notNull())
      .addColumn('created_at', int64, (column) => column.notNull())
      .addColumn('code_hash', text(64))
      .addColumn('code_expires_at', int64)
      .addColumn('code_environment', text(16))
      .addColumn('revoked_at', int64)
      .addColumn('desired_from', int64, (column) => column.notNull())
      .addColumn('revision', int64, (column) => column.notNull())
      .addColumn('writes', int64, (column) => column.notNull())
      .addPrimaryKeyConstraint('computers_pk', ['bank_id', 'computer_id'])
      .addUniqueConstraint('computers_name', ['bank_id', 'name'])
      .addUniqueConstraint('computers_code', ['code_hash']),
  ).execute();
  await withTableOptions(
    schema
      .createTable('computer_keys')
      .addColumn('key_hash', text(64), (column) => column.primaryKey().notNull())
      .addColumn('bank_id', int64, (column) => column.notNull())
      .addColumn('computer_id', int64, (column) => column.notNull())
      .addColumn('environment', text(16), (column) => column.notNull())
      .addColumn('created_at', int64, (column) => column.notNull())
      .addColumn('first_used_at', int64),
  ).execute();
  await schema
    .createIndex('computer_keys_by_computer')
    .on('computer_keys')
    .columns(['bank_id', 'computer_id'])
    .execute();
  await withTableOptions(
    schema
      .createTable('computer_states')
      .addColumn('bank_id', int64, (column) => column.notNull())
      .addColumn('computer_id', int64, (column) => column.notNull())
      .addColumn('serial', text(128), (column) => column.notNull())
      .addColumn('software', text(64), (column) => column.notNull())
      .addColumn('last_contact_at', int64)
      .addColumn('clock_offset_ms', int64)
      .addColumn('buffered', int64, (column) => column.notNull())
      .addColumn('sent_version', int64, (column) => column.notNull())
      .addColumn('acknowledged_version', int64, (column) => column.notNull())
      .addColumn('digests_equal', int64)
      .addColumn('last_error', text(500))
      .addPrimaryKeyConstraint('computer_states_pk', ['bank_id', 'computer_id']),
  ).execute();
  await schema.createIndex('units_by_computer').on('units').columns(['bank_id', 'computer_name']).execute();
};

const createStreams: PortalMigration = async ({ schema }, { int64, text, withTableOptions }) => {
  await withTableOptions(
    schema
      .createTable('computer_streams')
      .addColumn('bank_id', int64, (column) => column.notNull())
      .addColumn('computer_id', int64, (column) => column.notNull())
      .addColumn('stream', text(16), (column) => column.notNull())
      .addColumn('epoch', text(64), (column) => column.notNull())
      .addColumn('epoch_number', int64, (column) => column.notNull())
      .addColumn('through', int64, (column) => column.notNull())
      .addColumn('booked', int64, (column) => column.notNull())
      .addColumn('held', int64, (column) => column.notNull())
      .addColumn('other', int64, (column) => column.notNull())
      .addColumn('received_at', int64)
      .addColumn('writes', int64, (column) => column.notNull())
      .addPrimaryKeyConstraint('computer_streams_pk', ['bank_id', 'computer_id', 'stream']),
  ).execute();
  await withTableOptions(
    schema
      .createTable('former_epochs')
      .addColumn('bank_id', int64, (column) => column.notNull())
      .addColumn('computer_id', int64, (column) => column.notNull())
      .addColumn('stream', text(16), (column) => column.notNull())
      .addColumn('epoch_number', int64, (column) => column.notNull())
      .addColumn('epoch', text(64), (column) => column.notNull())
      .addColumn('through', int64, (column) => column.notNull())
      .addColumn('booked', int64, (column) => column.notNull())
      .addColumn('held', int64, (column) => column.notNull())
      .addColumn('other', int64, (column) => column.notNull())
      .addColumn('ended_at', int64, (column) => column.notNull())
      .addColumn('reason', text(200), (column) => column.notNull())
      .addPrimaryKeyConstraint('former_epochs_pk', ['bank_id', 'computer_id', 'stream', 'epoch_number'])
      .addUniqueConstraint('former_epochs_epoch', ['bank_id', 'computer_id', 'stream', 'epoch']),
  ).execute();
  await withTableOptions(
    schema
      .createTable('money_lines')
      .addColumn('bank_id', int64, (column) => column.notNull())
      .addColumn('computer_id', int64, (column) => column.notNull())
      .addColumn('epoch_number', int64, (column) => column.notNull())
      .addColumn('n', int64, (column) => column.notNull())
      .addColumn('location_id', int64, (column) => column.notNull())
      .addColumn('unit_id', int64, (column) => column.notNull())
      .addColumn('posting_id', int64, (column) => column.notNull())
      .addColumn('ref', text(64))
      .addColumn('content', text(64))
      .addColumn('clock_offset_ms', int64)
      .addPrimaryKeyConstraint('money_lines_pk', ['bank_id', 'computer_id', 'epoch_number', 'n'])
      .addUniqueConstraint('money_lines_ref', ['bank_id', 'location_id', 'unit_id', 'ref'])
      // A line has one posting; it is also how the line of a reversed posting is found.
      .addUniqueConstraint('money_lines_posting', ['bank_id', 'posting_id']),
  ).execute();
};

const createHeldLines: PortalMigration = async ({ schema }, { int64, text, longText, withTableOptions }) => {
  await withTableOptions(
    schema
      .createTable('held_line_heads')
      .addColumn('bank_id', int64, (column) => column.primaryKey().notNull())
      .addColumn('allocated', int64, (column) => column.notNull()),
  ).execute();
  await withTableOptions(
    schema
      .createTable('held_lines')
      .addColumn('bank_id', int64, (column) => column.notNull())
      .addColumn('held_id', int64, (column) => column.notNull())
      .addColumn('computer_id', int64, (column) => column.notNull())
      .addColumn('stream', text(16), (column) => column.notNull())
      .addColumn('epoch_number', int64, (column) => column.notNull())
      .addColumn('n', int64, (column) => column.notNull())
      .addColumn('code', text(32), (column) => column.notNull())
      .addColumn('received_at', int64, (column) => column.notNull())
      .addColumn('clock_offset_ms', int64)
      .addColumn('line', longText, (column) => column.notNull())
      .addColumn('location_id', int64, (column) => column.notNull())
      .addColumn('unit_id', int64, (column) => column.notNull())
      .addColumn('state', text(16), (column) => column.notNull())
      .addColumn('posting_id', int64)
      .addColumn('resolved_at', int64)
      .addColumn('resolved_by', int64)
      .addColumn('reason', text(500))
      .addColumn('revision', int64, (column) => column.notNull())
      .addPrimaryKeyConstraint('held_lines_pk', ['bank_id', 'held_id'])
      .addUniqueConstraint('held_lines_line', ['bank_id', 'computer_id', 'stream', 'epoch_number', 'n']),
  ).execute();
  await schema.createIndex('held_lines_by_state').on('held_lines').columns(['state', 'bank_id', 'held_id']).execute();
};

const createUnitCommands: PortalMigration = async ({ schema }, { int64, text, withTableOptions }) => {
  await withTableOptions(
    schema
      .createTable('unit_commands')
      .addColumn('bank_id', int64, (column) => column.notNull())
      .addColumn('command_id', int64, (column) => column.notNull())
      .addColumn('location_id', int64, (column) => column.notNull())
      .addColumn('unit_id', int64, (column) => column.notNull())
      .addColumn('name', text(64), (column) => column.notNull())
      .addColumn('created_at', int64, (column) => column.notNull())
      .addColumn('created_by', int64, (column) => column.notNull())
      .addColumn('expires_at', int64, (column) => column.notNull())
      .addColumn('sync_id', int64, (column) => column.notNull())
      .addColumn('finished_at', int64)
      .addColumn('succeeded', int64)
      .addColumn('result_code', text(64))
      .addPrimaryKeyConstraint('unit_commands_pk', ['bank_id', 'command_id']),
  ).execute();
  await schema
    .createIndex('unit_commands_by_unit')
    .on('unit_commands')
    .columns(['bank_id', 'location_id', 'unit_id', 'command_id'])
    .execute();
};

const extendOutbox: PortalMigration = async ({ schema }, { text, longText }) => {
  await schema.alterTable('device_sync').addColumn('detail', longText).execute();
  await schema.alterTable('device_sync').addColumn('code', text(64)).execute();
};
