// Reads a manager's credentials, email address and name.

import type { Db } from '../../../database/db.ts';
import { runPrepared } from '../../../database/statements/prepared-query.ts';
import type { ManagerActivity } from '../rules/active-manager.ts';

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
