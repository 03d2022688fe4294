// Reads the tenant's settings for how many days identities are shown, and how many days back residents' histories reach.

import { sql } from 'kysely';
import type { Db } from '../../../database/db.ts';
import type { Scope } from '../../../permissions/scope.ts';
import { getIdentityVisibility, type IdentityVisibility } from '../rules/identity.ts';

/** Days; no identity is shown if the setting is zero or missing. */
export const retentionSettingName = 'accountingRetentionDays';

/** Days; a resident's history shows nothing if the setting is zero or missing. */
export const surveillanceRetentionSettingName = 'surveillanceRetentionDays';

const selectSetting = (db: Db, name: string) =>
  db.selectFrom('tenant_settings').select('value').where('name', '=', sql.lit(name));

/** The setting as a column of another query. */
export const selectRetentionSetting = (db: Db) => selectSetting(db, retentionSettingName).as('retention_setting');

/** The setting as a column of another query. */
export const selectSurveillanceRetentionSetting = (db: Db) =>
  selectSetting(db, surveillanceRetentionSettingName).as('surveillance_retention_setting');

export const readIdentityVisibility = async (db: Db, scope: Scope, now: number): Promise<IdentityVisibility> =>
  getIdentityVisibility(await readRetentionSetting(db), scope, now);

/** The tenant's stored setting; null if it is missing. */
export async function readRetentionSetting(db: Db): Promise<string | null> {
  const row = await db
    .selectFrom('tenant_settings')
    .select('value')
    .where('name', '=', retentionSettingName)
    .executeTakeFirst();
  return row?.value ?? null;
}

/** Both settings in days; one that is missing, or is no number, counts as zero. */
export async function readRetentionDays(
  db: Db,
): Promise<{ readonly accounting: number; readonly surveillance: number }> {
  const rows = await db
    .selectFrom('tenant_settings')
    .select(['name', 'value'])
    .where('name', 'in', [retentionSettingName, surveillanceRetentionSettingName])
    .execute();
  const daysOf = (name: string): number => Number(rows.find((row) => row.name === name)?.value ?? 0) || 0;
  return { accounting: daysOf(retentionSettingName), surveillance: daysOf(surveillanceRetentionSettingName) };
}
