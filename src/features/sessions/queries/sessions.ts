// Inserts and deletes sessions, which are stored under the hash of their token.

import type { WriteDb } from '../../../database/db.ts';
import type { Environment } from '../../../permissions/scope.ts';
import { upsertLastSeen } from './manager-activity.ts';

export type InsertSessionInput = {
  readonly tokenHash: string;
  readonly managerId: number;
  readonly environment: Environment;
  readonly credentialStamp: string;
  readonly createdAt: number;
  readonly expiresAt: number;
};

// Far more than the devices of one person. A client that logs in for every request must not fill the database.
const maxSessionsPerManager = 1000;

/**
 * Stores a session, whose start is a use of it. Deletes the manager's expired sessions, and the oldest beyond the maximum.
 */
export async function insertSession(db: WriteDb, session: InsertSessionInput): Promise<void> {
  const { managerId, createdAt } = session;
  const sessionsOfManager = db.selectFrom('sessions').select('expires_at').where('manager_id', '=', managerId);
  const oldestKept = await sessionsOfManager
    .orderBy('expires_at', 'desc')
    .limit(1)
    .offset(maxSessionsPerManager - 1)
    .executeTakeFirst();
  const deleteUntil = Math.max(createdAt, oldestKept?.expires_at ?? createdAt);
  await db.deleteFrom('sessions').where('manager_id', '=', managerId).where('expires_at', '<=', deleteUntil).execute();
  await db
    .insertInto('sessions')
    .values({
      token_hash: session.tokenHash,
      manager_id: managerId,
      environment: session.environment,
      credential_stamp: session.credentialStamp,
      created_at: createdAt,
      expires_at: session.expiresAt,
    })
    .execute();
  await upsertLastSeen(db, [{ managerId, lastSeenAt: createdAt }]);
}

export async function deleteSession(db: WriteDb, tokenHash: string): Promise<void> {
  await db.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute();
}
