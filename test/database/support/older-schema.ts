// Takes a database back to where it was some migrations ago, as far as these can be taken back.

import type { DirectConnection } from '../../support/test-database.ts';

/** Every migration, in order, with what takes it back where a test needs that. */
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
};

export const allMigrations = Object.keys(rollbackStatements);

/** Takes back everything from this migration on; answers what is pending then. */
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
