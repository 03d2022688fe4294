// What decides which bookings a list shows, and how: the tenant's retention of identities, locations that are deleted, and
// whether a resident's identity has expired.

import type { Db } from '../../../database/db.ts';
import { retentionSettingName } from './retention-setting.ts';

/** The tenant's retention of identities in days, as it is set. */
export async function findTenantRetentionDays(db: Db): Promise<number> {
  const row = await db
    .selectFrom('tenant_settings')
    .select('value')
    .where('name', '=', retentionSettingName)
    .executeTakeFirst();
  return Number(row?.value ?? 0);
}

export async function listDeletedLocationIds(db: Db, bankId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('locations')
    .select('location_id')
    .where('bank_id', '=', bankId)
    .where('deleted_at', 'is not', null)
    .execute();
  return rows.map(({ location_id }) => location_id);
}

/** Whether the resident's identity is gone; of somebody who never was there is none to go. */
export async function hasResidentExpired(db: Db, bankId: number, userId: number, now: number): Promise<boolean> {
  const row = await db
    .selectFrom('residents')
    .select('expired_at')
    .where('bank_id', '=', bankId)
    .where('resident_id', '=', userId)
    .where('expired_at', '<=', now)
    .executeTakeFirst();
  return row !== undefined;
}
