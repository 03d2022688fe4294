// Whose a database is: empty, holding demo data (finished or not), or somebody's own. A marker row among the tenant's
// settings tells, written before anything else and turned when all is there, so that a seeding cut short is noticed.

import type { Db, WriteDb } from '../database/db.ts';
import type { TenantDatabase } from '../database/tenant-database.ts';

const ownershipSetting = 'demoData';

export type Ownership = 'empty' | 'unfinished' | 'demo' | 'foreign';

const deadlineMs = 60_000;

export async function readOwnership(db: Db): Promise<Ownership> {
  const row = await db
    .selectFrom('tenant_settings')
    .select('value')
    .where('name', '=', ownershipSetting)
    .executeTakeFirst();
  if (row !== undefined) return row.value === 'complete' ? 'demo' : 'unfinished';
  const [bank, manager] = [
    await db.selectFrom('banks').select('bank_id').limit(1).executeTakeFirst(),
    await db.selectFrom('managers').select('manager_id').limit(1).executeTakeFirst(),
  ];
  return bank === undefined && manager === undefined ? 'empty' : 'foreign';
}

/** Marks an empty database as being seeded; answers whose it was. */
export function claimDatabase(database: TenantDatabase): Promise<Ownership> {
  return database.write({ deadlineMs }, async (db) => {
    const ownership = await readOwnership(db);
    if (ownership === 'empty')
      await db.insertInto('tenant_settings').values({ name: ownershipSetting, value: 'seeding' }).execute();
    return ownership;
  });
}

export async function markComplete(database: TenantDatabase): Promise<void> {
  await database.write({ deadlineMs }, (db) =>
    db.updateTable('tenant_settings').set({ value: 'complete' }).where('name', '=', ownershipSetting).execute(),
  );
}

const seededTables = [
  'banks',
  'locations',
  'units',
  'unit_settings',
  'unit_setting_history',
  'unit_states',
  'opening_exceptions',
  'booking_slots',
  'booking_events',
  'bookings',
  'booking_heads',
  'residents',
  'managers',
  'manager_tabs',
  'manager_permissions',
  'manager_grants',
  'sessions',
  'idempotency_records',
  'settlement_periods',
  'posting_rollups',
  'resident_rollups',
  'device_sync',
  'device_sync_heads',
  'ledgers',
] as const;

// A transaction that deletes too much is refused by a cluster, and holds up everybody elsewhere.
const maxPostingsPerDelete = 20_000;

/** Takes back what an unfinished seeding wrote; the marker stays. */
export async function deleteUnfinishedData(database: TenantDatabase): Promise<void> {
  while (await database.write({ deadlineMs }, deletePostingBatch));
  await database.write({ deadlineMs }, async (db) => {
    for (const table of seededTables) await db.deleteFrom(table).execute();
    await db.deleteFrom('tenant_settings').where('name', '<>', ownershipSetting).execute();
  });
}

/** Answers whether there may be more. */
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
