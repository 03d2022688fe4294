// Reverts the last migrations of a database, as far as they can be reverted.

import type { DirectConnection } from '../../support/test-database.ts';

/** Every migration, in order, with a function that reverts it if a test needs one. */
const rollbackStatements: Readonly<Record<string, readonly string[]>> = {
  '0001-places': [],
  '0002-residents': [],
  '0003-managers': [],
  '0004-ledger': [],
  '0005-idempotency': ['drop table idempotency_records'],
  '0006-ledger-integrity': [
    'drop table device_sync',
    'drop table device_sync_heads',
    'alter table postings drop column chain',
    'alter table settlement_periods drop column chain',
  ],
  '0007-discounts': ['alter table banks drop column discount_basis_points'],
  '0008-kept-languages': ['alter table idempotency_records drop column language'],
  '0009-unit-settings': [
    'drop table unit_states',
    'drop table unit_setting_history',
    'drop table unit_settings',
    'drop index units_overview on units',
    'alter table units drop column version',
    'alter table units drop column last_contact_at',
    'alter table units drop column packed_type',
    'alter table locations drop column zip',
    'alter table locations drop column address',
    'alter table locations drop column icon',
  ],
  '0010-opening-exceptions': ['drop table opening_exceptions'],
  '0011-bookings': [
    'drop table booking_slots',
    'drop table booking_events',
    'drop table bookings',
    'drop table booking_heads',
  ],
  '0012-resident-rollups': [
    'create index postings_by_user on postings (bank_id, user_id, recorded_at desc, location_id, unit_id, posting_id desc)',
    'drop index postings_of_user on postings',
    'drop table resident_rollups',
    'alter table ledgers rename column writes to version',
  ],
  '0013-booking-charges': ['drop index booking_events_posting on booking_events'],
  '0014-ledger-reversals': ['alter table ledgers drop column reversals'],
  '0015-known-addresses': ['drop table manager_addresses'],
  '0016-ledger-clock': ['alter table ledgers drop column last_write_at'],
  '0017-resident-administration': [
    'drop index residents_of_location on residents',
    'drop index residents_by_apartment on residents',
    'drop index residents_by_name on residents',
    'drop index residents_by_email on residents',
    'drop table resident_former_names',
    'drop table resident_history',
    'drop table resident_activations',
    'drop table resident_keys',
    'drop table resident_words',
    'drop table resident_heads',
    'alter table banks drop column residents_version',
    'alter table residents drop column erased_at',
    'alter table residents drop column pin_hash',
    'alter table residents drop column phone_number',
    'alter table residents drop column email_key',
    'alter table residents drop column apartment_key',
    'alter table residents drop column name_key',
  ],
  '0018-postal-codes': ['drop table postal_codes', 'drop table postal_imports'],
  '0019-object-addresses': [
    'alter table residents drop column address_revision',
    'alter table residents drop column coordinate_provenance',
    'alter table residents drop column longitude',
    'alter table residents drop column latitude',
    'alter table residents drop column zip',
    'alter table residents drop column address',
    'alter table units drop column address_revision',
    'alter table units drop column coordinate_provenance',
    'alter table units drop column longitude',
    'alter table units drop column latitude',
    'alter table units drop column zip',
    'alter table units drop column address',
    'alter table locations drop column address_revision',
    'alter table locations drop column coordinate_provenance',
    'alter table locations drop column longitude',
    'alter table locations drop column latitude',
    'alter table banks drop column address_revision',
    'alter table banks drop column coordinate_provenance',
    'alter table banks drop column longitude',
    'alter table banks drop column latitude',
    'alter table banks drop column zip',
    'alter table banks drop column address',
  ],
  '0020-documents': [
    'drop index unit_setting_history_by_time on unit_setting_history',
    'drop table unit_syncs',
    'drop table document_cycles',
    'drop table state_samples',
    'drop table state_series_heads',
    'drop table state_series',
  ],
  '0021-audit': ['drop table audit_entries', 'drop table audit_heads'],
  '0022-managers': [
    'drop index manager_grants_by_place on manager_grants',
    'drop index managers_by_name on managers',
    'drop table manager_activity',
    'drop table manager_words',
    'drop table manager_heads',
    'alter table managers drop column name_key',
  ],
  '0023-profile': [
    'drop table email_verifications',
    'alter table managers drop column profile_writes',
    'alter table managers drop column profile_revision',
    'alter table managers drop column email_verified',
  ],
  '0024-services': [
    'drop table service_key_uses',
    'drop table service_operations',
    'drop table service_history',
    'drop table services',
  ],
  '0025-installers': [
    'drop table installer_words',
    'drop table installer_locations',
    'drop table installer_tags',
    'drop table installers',
  ],
  '0026-audit-lock': ['alter table audit_heads drop column writes'],
  '0027-tenant-status': [
    'drop table signing_keys',
    'drop index unit_settings_by_value on unit_settings',
    'drop index units_by_contact on units',
    'alter table units drop column cluster',
    'alter table units drop column computer_name',
  ],
  '0028-service-key-makers': [
    'alter table services drop column api_key_made_at',
    'alter table services drop column api_key_made_by',
  ],
  '0029-computers': [
    'alter table device_sync drop column code',
    'alter table device_sync drop column detail',
    'drop table unit_commands',
    'drop table held_lines',
    'drop table held_line_heads',
    'drop table money_lines',
    'drop table former_epochs',
    'drop table computer_streams',
    'drop index units_by_computer on units',
    'drop table computer_states',
    'drop table computer_keys',
    'drop table computers',
    'drop table computer_heads',
  ],
  '0030-payment-references': ['drop index postings_by_reference on postings'],
  '0031-imports': [
    'drop table import_profiles',
    'drop table import_keys',
    'drop table import_claims',
    'drop table import_rows',
    'drop table imports',
    'drop table import_heads',
  ],
  '0032-import-indexes': ['drop index imports_by_change on imports', 'drop index imports_by_file on imports'],
  '0033-charge-profiles': ['drop table charge_profiles'],
  '0034-status-snapshots': ['drop table status_snapshots'],
  '0035-login-failures': ['drop table login_failures'],
  '0036-request-counts-additive': ['drop table request_counts'],
};

export const allMigrations = Object.keys(rollbackStatements);

/** Reverts everything from this migration on; returns the migrations that are then pending. */
export async function rollBackFrom(outsider: DirectConnection, from: string): Promise<string[]> {
  const later = allMigrations.filter((name) => name >= from);
  for (const name of later.toReversed()) {
    for (const statement of rollbackStatements[name] ?? []) await outsider.run(statementFor(outsider, statement));
    await outsider.run(`delete from kysely_migration where name = '${name}'`);
  }
  return later;
}

/** An index belongs to its table on one engine, to the database on the other. */
function statementFor({ engine }: DirectConnection, statement: string): string {
  const [, index, table] = /^drop index (\w+) on (\w+)$/.exec(statement) ?? [];
  if (index === undefined) return statement;
  return engine === 'sqlite' ? `drop index ${index}` : `alter table ${table} drop index ${index}`;
}
