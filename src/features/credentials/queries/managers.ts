// Reads managers' credentials, and inserts managers with the words by which they are found.

import type { Insertable } from 'kysely';
import type { Db, WriteDb } from '../../../database/db.ts';
import { insertRows } from '../../../database/insert-rows.ts';
import { runPrepared } from '../../../database/prepared-query.ts';
import { listManagerWords } from '../../../lib/manager-keys.ts';
import { formatSortKey } from '../../../lib/search-words.ts';
import type { Tables } from '../../../database/tables.ts';
import type { Permission, Tab } from '../../../permissions/matrix.ts';
import { managerTopic } from '../manager-topic.ts';
import type { ManagerActivity } from '../rules/active-manager.ts';
import { normalizeUserName } from '../rules/user-name.ts';
import { lockManagerRights } from './rights-lock.ts';

export type ManagerCredentials = ManagerActivity & {
  readonly manager_id: number;
  readonly password_hash: string;
  readonly credential_stamp: string;
};

export async function findManagerCredentials(db: Db, userNameKey: string): Promise<ManagerCredentials | undefined> {
  const [credentials] = await runPrepared(db, 'credentials of a manager', { userNameKey }, (bind) =>
    db
      .selectFrom('managers')
      .select(['manager_id', 'password_hash', 'credential_stamp', 'active', 'deleted_at'])
      .where('user_name_key', '=', bind<string>('userNameKey')),
  );
  return credentials;
}

/** Undefined if there is no such manager. */
export async function findManagerEmail(db: Db, userNameKey: string): Promise<string | undefined> {
  const manager = await db
    .selectFrom('managers')
    .select('email')
    .where('user_name_key', '=', userNameKey)
    .executeTakeFirst();
  return manager?.email;
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
export const insertManager = (db: WriteDb, manager: InsertManagerInput): Promise<void> => insertManagers(db, [manager]);

/** Throws DuplicateError where a user name is taken. */
export async function insertManagers(db: WriteDb, managers: readonly InsertManagerInput[]): Promise<void> {
  await lockManagerRights(db);
  for (const { managerId } of managers) db.changedTopics.add(managerTopic(managerId));
  // What has a default is left out.
  await db.insertInto('managers').values(managers.map(toManagerRow)).execute();
  const rowsOf = <T>(list: (manager: InsertManagerInput) => readonly T[]) =>
    managers.flatMap((manager) => list(manager).map((each) => ({ manager_id: manager.managerId, each })));
  await insertRows(
    db,
    'manager_words',
    rowsOf(listManagerWords).map(({ manager_id, each: word }) => ({ word, manager_id })),
  );
  await insertRows(
    db,
    'manager_tabs',
    rowsOf(({ tabs }) => tabs).map(({ manager_id, each: tab }) => ({ manager_id, tab })),
  );
  await insertRows(
    db,
    'manager_permissions',
    rowsOf(({ permissions }) => permissions).map(({ manager_id, each: permission }) => ({ manager_id, permission })),
  );
  await insertRows(
    db,
    'manager_grants',
    rowsOf(({ grants }) => grants).map(({ manager_id, each: { bankId, locationId } }) => ({
      manager_id,
      bank_id: bankId,
      location_id: locationId,
    })),
  );
}

const toManagerRow = (manager: InsertManagerInput): Insertable<Tables['managers']> => ({
  manager_id: manager.managerId,
  user_name: manager.userName,
  user_name_key: normalizeUserName(manager.userName),
  name: manager.name,
  name_key: formatSortKey(manager.name),
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
});
