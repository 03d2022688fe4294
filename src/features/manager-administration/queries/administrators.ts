// Reads who can administer a tenant. A write reads this after it has locked the rights of all managers.

import type { Db } from '../../../database/db.ts';
import type { WholeTenant } from '../../../permissions/coverage.ts';
import { managersWriteAccess } from '../access.ts';

const selectActiveTenantWide = (db: Db) =>
  db
    .selectFrom('manager_grants as g')
    .innerJoin('managers as m', 'm.manager_id', 'g.manager_id')
    .select('m.manager_id')
    .where('g.bank_id', '=', 0)
    .where('g.location_id', '=', 0)
    .where('m.active', '=', 1)
    .where('m.deleted_at', 'is', null);

/** Whether no other active manager has a tenant-wide grant, whatever their permissions. */
export async function isSoleTenantWide(db: Db, _tenant: WholeTenant, managerId: number): Promise<boolean> {
  const others = await selectActiveTenantWide(db).where('m.manager_id', '<>', managerId).limit(1).execute();
  return others.length === 0;
}

/** Whether any active manager has all the rights that changing the rights of others needs. */
export const hasAdministrator = async (db: Db, _tenant: WholeTenant): Promise<boolean> =>
  (await selectAdministrators(db).limit(1).execute()).length > 0;

/** The ids of those who have them. */
export const listAdministrators = async (db: Db, _tenant: WholeTenant): Promise<number[]> =>
  (await selectAdministrators(db).execute()).map(({ manager_id }) => manager_id);

function selectAdministrators(db: Db) {
  const { tabs, permissions } = managersWriteAccess;
  let query = selectActiveTenantWide(db).where('m.manager_id', 'in', (inner) =>
    inner.selectFrom('manager_tabs').select('manager_id').where('tab', 'in', tabs),
  );
  for (const permission of permissions)
    query = query.where('m.manager_id', 'in', (inner) =>
      inner.selectFrom('manager_permissions').select('manager_id').where('permission', '=', permission),
    );
  return query;
}
