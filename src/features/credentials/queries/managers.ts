// Reads managers' credentials, and inserts managers.

import type { Db, WriteDb } from '../../../database/db.ts';
import { runPrepared } from '../../../database/prepared-query.ts';
import type { Permission, Tab } from '../../../permissions/matrix.ts';
import { managerTopic } from '../manager-topic.ts';
import type { ManagerActivity } from '../rules/active-manager.ts';
import { normalizeUserName } from '../rules/user-name.ts';

export type ManagerCredentials = ManagerActivity & {
  readonly manager_id: number;
  readonly password_hash: string;
  readonly credential_stamp: string;
};

export function findManagerCredentials(db: Db, userNameKey: string): Promise<ManagerCredentials | undefined> {
  return db
    .selectFrom('managers')
    .select(['manager_id', 'password_hash', 'credential_stamp', 'active', 'deleted_at'])
    .where('user_name_key', '=', userNameKey)
    .executeTakeFirst();
}

/** The current name of a manager; null if there is no such manager. */
export async function findManagerName(db: Db, managerId: number): Promise<string | null> {
  const [manager] = await runPrepared(db, 'name of a manager', { managerId }, (bind) =>
    db.selectFrom('managers').select('name').where('manager_id', '=', bind<number>('managerId')),
  );
  return manager?.name ?? null;
}

export type InsertManagerInput = {
  readonly managerId: number;
  readonly userName: string;
  readonly name: string;
  readonly email: string;
  readonly organisation: string;
  readonly personIcon: string;
  readonly passwordHash: string;
  readonly credentialStamp: string;
  readonly active: boolean;
  readonly retentionDays: number | null;
  readonly tabs: readonly Tab[];
  readonly permissions: readonly Permission[];
  /** Bank 0 is the whole tenant, location 0 the whole bank. */
  readonly grants: readonly { readonly bankId: number; readonly locationId: number }[];
};

/** The next free id of a human manager. */
export async function readNextManagerId(db: Db): Promise<number> {
  const row = await db
    .selectFrom('managers')
    .select(({ fn }) => fn.max('manager_id').as('last'))
    .executeTakeFirst();
  return Math.max(1000, row?.last ?? 0) + 1;
}

/** Throws DuplicateError where the user name is taken. */
export async function insertManager(db: WriteDb, manager: InsertManagerInput): Promise<void> {
  const { managerId, tabs, permissions, grants } = manager;
  db.changedTopics.add(managerTopic(managerId));
  await db
    .insertInto('managers')
    .values({
      manager_id: managerId,
      user_name: manager.userName,
      user_name_key: normalizeUserName(manager.userName),
      name: manager.name,
      email: manager.email,
      organisation: manager.organisation,
      person_icon: manager.personIcon,
      theme: 0,
      retention_days: manager.retentionDays,
      password_hash: manager.passwordHash,
      credential_stamp: manager.credentialStamp,
      active: manager.active ? 1 : 0,
      deleted_at: null,
      revision: 1,
    })
    .execute();
  const tabRows = tabs.map((tab) => ({ manager_id: managerId, tab }));
  if (tabRows.length > 0) await db.insertInto('manager_tabs').values(tabRows).execute();
  const permissionRows = permissions.map((permission) => ({ manager_id: managerId, permission }));
  if (permissionRows.length > 0) await db.insertInto('manager_permissions').values(permissionRows).execute();
  const grantRows = grants.map(({ bankId, locationId }) => ({
    manager_id: managerId,
    bank_id: bankId,
    location_id: locationId,
  }));
  if (grantRows.length > 0) await db.insertInto('manager_grants').values(grantRows).execute();
}
