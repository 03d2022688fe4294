// Sessions as they are stored: under the hash of their token.

import type { Db, WriteDb } from '../../../database/db.ts';
import type { Environment } from '../../../permissions/scope.ts';

export type InsertSessionInput = {
  readonly tokenHash: string;
  readonly managerId: number;
  readonly environment: Environment;
  readonly credentialStamp: string;
  readonly createdAt: number;
  readonly expiresAt: number;
};

/** A session that is still good: unexpired, its manager active, its credential stamp the current one. */
export function findValidSession(db: Db, tokenHash: string, environment: Environment, now: number) {
  return db
    .selectFrom('sessions')
    .innerJoin('managers', 'managers.manager_id', 'sessions.manager_id')
    .select([
      'managers.manager_id',
      'managers.name',
      'managers.email',
      'managers.organisation',
      'managers.person_icon',
      'managers.theme',
      'managers.retention_days',
      'sessions.expires_at',
    ])
    .where('sessions.token_hash', '=', tokenHash)
    .where('sessions.environment', '=', environment)
    .where('sessions.expires_at', '>', now)
    .where('managers.active', '=', 1)
    .where('managers.deleted_at', 'is', null)
    .whereRef('managers.credential_stamp', '=', 'sessions.credential_stamp')
    .executeTakeFirst();
}

// Far more than a person has devices; a client that logs in for every request must not fill the database.
const maxSessionsPerManager = 1000;

/** Stores a session and clears away the manager's expired ones, and the oldest beyond what one may have. */
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
}

export async function deleteSession(db: WriteDb, tokenHash: string): Promise<void> {
  await db.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute();
}
