// Reads the credentials that a password change is checked against, and stores the new password.

import type { Tables } from '../../../database/tables.ts';
import type { Db, WriteDb } from '../../../database/db.ts';
import type { Principal } from '../../../http/context/principal.ts';
import { managerTopic } from '../../managers/rules/manager-topic.ts';
import type { OwnManager } from './profile.ts';

export type OwnCredentials = Pick<
  Tables['managers'],
  'user_name' | 'user_name_key' | 'email' | 'password_hash' | 'credential_stamp'
>;

/** Undefined if the manager is deleted. */
export const findOwnCredentials = (db: Db, { id: managerId }: OwnManager): Promise<OwnCredentials | undefined> =>
  db
    .selectFrom('managers')
    .select(['user_name', 'user_name_key', 'email', 'password_hash', 'credential_stamp'])
    .where('manager_id', '=', managerId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();

/**
 * Stores a new credential stamp, which ends every session of the manager except that of the request, and makes all
 * known addresses unknown. False if the stored stamp is no longer `oldStamp`.
 */
export async function replacePassword(
  db: WriteDb,
  { id: managerId, tokenHash }: Pick<Principal, 'id' | 'tokenHash'>,
  oldStamp: string,
  { passwordHash, credentialStamp }: { readonly passwordHash: string; readonly credentialStamp: string },
): Promise<boolean> {
  db.changedTopics.add(managerTopic(managerId));
  const { numUpdatedRows } = await db
    .updateTable('managers')
    .set({ password_hash: passwordHash, credential_stamp: credentialStamp })
    .where('manager_id', '=', managerId)
    .where('credential_stamp', '=', oldStamp)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows !== 1n) return false;
  await db
    .updateTable('sessions')
    .set({ credential_stamp: credentialStamp })
    .where('manager_id', '=', managerId)
    .where('token_hash', '=', tokenHash)
    .execute();
  // Sessions with the old stamp are already invalid: their rows only take space.
  await db
    .deleteFrom('sessions')
    .where('manager_id', '=', managerId)
    .where('credential_stamp', '<>', credentialStamp)
    .execute();
  await db.deleteFrom('manager_addresses').where('manager_id', '=', managerId).execute();
  return true;
}
