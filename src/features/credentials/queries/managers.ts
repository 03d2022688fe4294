// Managers, their rights, and writing them.

import { sql } from 'kysely';
import type { Db, WriteDb } from '../../../database/db.ts';
import { runPrepared } from '../../../database/prepared-query.ts';
import { isPermission, isTab, type Permission, type Tab } from '../../../permissions/matrix.ts';
import type { Grants, Rights } from '../../../permissions/needs.ts';

export type ManagerCredentials = {
  readonly manager_id: number;
  readonly password_hash: string;
  readonly credential_stamp: string;
  readonly active: number;
  readonly deleted_at: number | null;
};

/** User names differ only where this does: NFKC, lower case, no outer spaces. */
export function normalizeUserName(userName: string): string {
  return userName.normalize('NFKC').trim().toLowerCase();
}

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

/** Tabs, permissions and grants of a manager, in one query. */
export async function readManagerRights(db: Db, managerId: number): Promise<Rights> {
  const none = sql<number>`0`;
  const rows = await db
    .selectFrom('manager_tabs')
    .select([sql<string>`'tab'`.as('kind'), 'tab as name', none.as('bank_id'), none.as('location_id')])
    .where('manager_id', '=', managerId)
    .unionAll((eb) =>
      eb
        .selectFrom('manager_permissions')
        .select([
          sql<string>`'permission'`.as('kind'),
          'permission as name',
          none.as('bank_id'),
          none.as('location_id'),
        ])
        .where('manager_id', '=', managerId),
    )
    .unionAll((eb) =>
      eb
        .selectFrom('manager_grants')
        .select([sql<string>`'grant'`.as('kind'), sql<string>`''`.as('name'), 'bank_id', 'location_id'])
        .where('manager_id', '=', managerId),
    )
    .execute();
  const namesOfKind = (kind: string): string[] => rows.filter((row) => row.kind === kind).map(({ name }) => name);
  return {
    tabs: new Set(namesOfKind('tab').filter(isTab)),
    permissions: new Set(namesOfKind('permission').filter(isPermission)),
    grants: toGrants(rows.filter(({ kind }) => kind === 'grant')),
  };
}

function toGrants(rows: readonly { bank_id: number; location_id: number }[]): Grants {
  const banks = new Set<number>();
  const locations = new Map<number, Set<number>>();
  for (const { bank_id, location_id } of rows) {
    if (location_id === 0) banks.add(bank_id);
    else locations.set(bank_id, (locations.get(bank_id) ?? new Set()).add(location_id));
  }
  return { tenantWide: banks.delete(0), banks, locations };
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
