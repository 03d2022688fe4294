// Writes what managers may do, and whether they are active.

import type { WriteDb } from '../../../database/db.ts';
import { insertRows } from '../../../database/statements/insert-rows.ts';
import { requireLock } from '../../../database/locks.ts';
import type { Tables } from '../../../database/tables.ts';
import type { WholeTenant } from '../../../permissions/coverage.ts';
import type { Permission, Tab } from '../../../permissions/matrix.ts';
import { managerTopic } from '../../managers/rules/manager-topic.ts';
import { managerRightsLock } from '../../managers/queries/rights-lock.ts';
import type { GrantTarget, RightsDifference } from '../rules/manager-state.ts';
import type { ManagerRow } from './managers.ts';

type ManagerColumns = Partial<Pick<Tables['managers'], 'active' | 'password_hash' | 'credential_stamp'>>;

type RightsChange = {
  readonly columns?: ManagerColumns;
  readonly tabs?: RightsDifference<Tab>;
  readonly permissions?: RightsDifference<Permission>;
  readonly places?: RightsDifference<GrantTarget>;
};

/** Changes a manager; false if the revision is no longer that of the row. */
export async function changeRights(
  db: WriteDb,
  _tenant: WholeTenant,
  { manager_id: managerId, revision }: Pick<ManagerRow, 'manager_id' | 'revision'>,
  { columns = {}, tabs, permissions, places }: RightsChange,
): Promise<boolean> {
  requireLock(db, managerRightsLock());
  db.changedTopics.add(managerTopic(managerId));
  const { numUpdatedRows } = await db
    .updateTable('managers')
    .set({ ...columns, revision: revision + 1 })
    .where('manager_id', '=', managerId)
    .where('revision', '=', revision)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows !== 1n) return false;
  if (tabs !== undefined) await storeTabs(db, managerId, tabs);
  if (permissions !== undefined) await storePermissions(db, managerId, permissions);
  if (places !== undefined) await storePlaces(db, managerId, places);
  return true;
}

async function storeTabs(db: WriteDb, managerId: number, { granted, withdrawn }: RightsDifference<Tab>): Promise<void> {
  if (withdrawn.length > 0)
    await db.deleteFrom('manager_tabs').where('manager_id', '=', managerId).where('tab', 'in', withdrawn).execute();
  const rows = granted.map((tab) => ({ manager_id: managerId, tab }));
  await insertRows(db, 'manager_tabs', rows);
}

async function storePermissions(
  db: WriteDb,
  managerId: number,
  { granted, withdrawn }: RightsDifference<Permission>,
): Promise<void> {
  if (withdrawn.length > 0)
    await db
      .deleteFrom('manager_permissions')
      .where('manager_id', '=', managerId)
      .where('permission', 'in', withdrawn)
      .execute();
  const rows = granted.map((permission) => ({ manager_id: managerId, permission }));
  await insertRows(db, 'manager_permissions', rows);
}

async function storePlaces(
  db: WriteDb,
  managerId: number,
  { granted, withdrawn }: RightsDifference<GrantTarget>,
): Promise<void> {
  for (const { bankId, locationId } of withdrawn)
    await db
      .deleteFrom('manager_grants')
      .where('manager_id', '=', managerId)
      .where('bank_id', '=', bankId)
      .where('location_id', '=', locationId)
      .execute();
  const rows = granted.map(({ bankId, locationId }) => ({
    manager_id: managerId,
    bank_id: bankId,
    location_id: locationId,
  }));
  await insertRows(db, 'manager_grants', rows);
}

/**
 * Deletes a manager who has no rights any more and has never logged in: nothing of the person is kept, and others can
 * have the user name. The id is not given again.
 */
export async function eraseManager(db: WriteDb, _tenant: WholeTenant, managerId: number, now: number): Promise<void> {
  requireLock(db, managerRightsLock());
  db.changedTopics.add(managerTopic(managerId));
  await db
    .updateTable('managers')
    // No user name has capital letters when it is compared.
    .set({
      user_name: '',
      user_name_key: `DELETED-${managerId}`,
      name: '',
      name_key: '',
      email: '',
      organisation: '',
      active: 0,
      deleted_at: now,
    })
    .where('manager_id', '=', managerId)
    .execute();
  await db.deleteFrom('manager_words').where('manager_id', '=', managerId).execute();
}
