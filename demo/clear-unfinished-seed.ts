// Deletes what an unfinished seeding wrote, in transactions of bounded size.

import type { WriteDb } from '../src/database/db.ts';
import { markerSetting, type SeedClaim } from './ownership.ts';

/** Tables with few rows, however many postings there are. */
const smallTables = [
  'banks',
  'locations',
  'units',
  'unit_settings',
  'unit_setting_history',
  'unit_states',
  'document_cycles',
  'unit_syncs',
  'state_series',
  'opening_exceptions',
  'booking_slots',
  'booking_events',
  'bookings',
  'booking_heads',
  'residents',
  'resident_heads',
  'resident_words',
  'resident_keys',
  'resident_activations',
  'resident_history',
  'resident_former_names',
  'installers',
  'installer_tags',
  'installer_locations',
  'installer_words',
  'managers',
  'manager_tabs',
  'manager_permissions',
  'manager_grants',
  'sessions',
  'manager_words',
  'manager_activity',
  'manager_addresses',
  'idempotency_records',
  'settlement_periods',
  'resident_rollups',
  'computer_heads',
  'computers',
  'computer_keys',
  'computer_states',
  'computer_streams',
  'former_epochs',
  'money_lines',
  'held_lines',
  'held_line_heads',
  'unit_commands',
  'device_sync',
  'device_sync_heads',
  'ledgers',
] as const;

// A cluster refuses a transaction that deletes too much; a single server would block other writers meanwhile.
const maxPostingsPerDelete = 20_000;

/** The marker of the seeding stays. */
export async function clearUnfinishedData(claim: SeedClaim): Promise<void> {
  while (await claim.write(deletePostingBatch));
  while (await claim.write(deleteRollupBatch));
  while (await claim.write(deleteSampleBatch));
  for (const table of smallTables) await claim.write((db) => db.deleteFrom(table).execute());
  await claim.writeStep(async (db) => {
    await db.deleteFrom('tenant_settings').where('name', '<>', markerSetting).execute();
  });
}

/** Returns whether there may be more. */
async function deletePostingBatch(db: WriteDb): Promise<boolean> {
  const first = await db
    .selectFrom('postings')
    .select(['bank_id', 'posting_id'])
    .orderBy('bank_id')
    .orderBy('posting_id')
    .limit(1)
    .executeTakeFirst();
  if (first === undefined) return false;
  const { bank_id: bankId, posting_id: from } = first;
  const rows = db.deleteFrom('postings').where('bank_id', '=', bankId).where('posting_id', '>=', from);
  await rows.where('posting_id', '<', from + maxPostingsPerDelete).execute();
  return true;
}

/** The samples of one series. Returns whether there may be more. */
async function deleteSampleBatch(db: WriteDb): Promise<boolean> {
  const first = await db.selectFrom('state_samples').select('series_id').limit(1).executeTakeFirst();
  if (first === undefined) return false;
  await db.deleteFrom('state_samples').where('series_id', '=', first.series_id).execute();
  return true;
}

/** The roll-ups of one location. Returns whether there may be more. */
async function deleteRollupBatch(db: WriteDb): Promise<boolean> {
  const first = await db.selectFrom('posting_rollups').select(['bank_id', 'location_id']).limit(1).executeTakeFirst();
  if (first === undefined) return false;
  await db
    .deleteFrom('posting_rollups')
    .where('bank_id', '=', first.bank_id)
    .where('location_id', '=', first.location_id)
    .execute();
  return true;
}
