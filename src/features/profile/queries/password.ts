// Reads what a password change is checked against, and stores the new password.

import type { Db, WriteDb } from '../../../database/db.ts';
import type { Principal } from '../../../http/context/principal.ts';
import { Problem } from '../../../lib/problem.ts';
import { managerTopic } from '../../credentials/manager-topic.ts';
import type { Self } from './profile.ts';

export type OwnCredentials = {
  readonly user_name: string;
  readonly user_name_key: string;
  readonly email: string;
  readonly password_hash: string;
  readonly credential_stamp: string;
};

/** Throws 401 where the manager is gone. */
export async function readOwnCredentials(db: Db, { managerId }: Self): Promise<OwnCredentials> {
  const row = await db
    .selectFrom('managers')
    .select(['user_name', 'user_name_key', 'email', 'password_hash', 'credential_stamp'])
    .where('manager_id', '=', managerId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (row === undefined) throw new Problem('unauthenticated');
  return row;
}

export type NewCredentials = { readonly passwordHash: string; readonly credentialStamp: string };

/**
 * Turns the credential stamp, which ends every session of the manager but the one of the request, and makes all known
 * addresses unknown. False where the stamp is no longer the one that was read.
 */
export async function replacePassword(
  db: WriteDb,
  { managerId, tokenHash }: Pick<Principal, 'managerId' | 'tokenHash'>,
  oldStamp: string,
  { passwordHash, credentialStamp }: NewCredentials,
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
  // A session of the old stamp is dead as it is: the rows only take room.
  await db
    .deleteFrom('sessions')
    .where('manager_id', '=', managerId)
    .where('credential_stamp', '<>', credentialStamp)
    .execute();
  await db.deleteFrom('manager_addresses').where('manager_id', '=', managerId).execute();
  return true;
}
