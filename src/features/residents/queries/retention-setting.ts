// Reads the tenant's setting for how many days identities are shown.

import { sql } from 'kysely';
import type { Db } from '../../../database/db.ts';
import type { Scope } from '../../../permissions/scope.ts';
import { getIdentityVisibility, type IdentityVisibility } from '../rules/identity.ts';

/** Days; no identity is shown if the setting is zero or missing. */
export const retentionSettingName = 'accountingRetentionDays';

/** The setting as a column of another query. */
export const selectRetentionSetting = (db: Db) =>
  db
    .selectFrom('tenant_settings')
    .select('value')
    .where('name', '=', sql.lit(retentionSettingName))
    .as('retention_setting');

export async function readIdentityVisibility(db: Db, scope: Scope, now: number): Promise<IdentityVisibility> {
  const row = await db
    .selectFrom('tenant_settings')
    .select('value')
    .where('name', '=', retentionSettingName)
    .executeTakeFirst();
  return getIdentityVisibility(row?.value ?? null, scope, now);
}
