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

/** Stores a session, whose start is a use of it. */
export async function insertSession(db: WriteDb, session: InsertSessionInput): Promise<void> {
  const { managerId, createdAt } = session;
  const inserted = db
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
  await Promise.all([inserted, upsertLastSeen(db, [{ managerId, lastSeenAt: createdAt }])]);
}

/** Deletes the manager's expired sessions, and the oldest beyond the maximum. The new session is none of them. */
export async function deleteOldSessions(
  db: WriteDb,
  { managerId, tokenHash, createdAt }: InsertSessionInput,
): Promise<void> {
  const oldestKept = await db
    .selectFrom('sessions')
    .select('expires_at')
    .where('manager_id', '=', managerId)
    .where('token_hash', '<>', tokenHash)
    .orderBy('expires_at', 'desc')
    .limit(1)
    .offset(maxSessionsPerManager - 1)
    .executeTakeFirst();
  await db
    .deleteFrom('sessions')
    .where('manager_id', '=', managerId)
    .where('token_hash', '<>', tokenHash)
    .where('expires_at', '<=', Math.max(createdAt, oldestKept?.expires_at ?? createdAt))
    .execute();
}

export async function deleteSession(db: WriteDb, tokenHash: string): Promise<void> {
  await db.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute();
}
