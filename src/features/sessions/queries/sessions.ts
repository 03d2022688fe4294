// Inserts and deletes sessions, which are stored under the hash of their token.

import { sql } from 'kysely';
import type { WriteDb } from '../../../database/db.ts';
import { runPrepared } from '../../../database/statements/prepared-query.ts';
import type { Environment } from '../../../permissions/scope.ts';
import { managerTopic } from '../../managers/rules/manager-topic.ts';
import { upsertLastSeen } from './manager-activity.ts';

type InsertSessionInput = {
  readonly tokenHash: string;
  readonly managerId: number;
  readonly environment: Environment;
  readonly credentialStamp: string;
  readonly createdAt: number;
  readonly expiresAt: number;
};

// Far more than the devices of one person. A client that logs in for every request must not fill the database.
const maxSessionsPerManager = 1000;

/** Stores a session. Its start counts as a use. */
export async function insertSession(db: WriteDb, session: InsertSessionInput): Promise<void> {
  const { managerId, createdAt } = session;
  const inserted = runPrepared(db, 'insert session', session, (bind) =>
    db.insertInto('sessions').values({
      token_hash: bind<string>('tokenHash'),
      manager_id: bind<number>('managerId'),
      environment: bind<Environment>('environment'),
      credential_stamp: bind<string>('credentialStamp'),
      created_at: bind<number>('createdAt'),
      expires_at: bind<number>('expiresAt'),
    }),
  );
  await Promise.all([inserted, upsertLastSeen(db, [{ managerId, lastSeenAt: createdAt }])]);
}

/** Deletes the manager's expired sessions, and the oldest beyond the maximum. The new session is not among them. */
export async function deleteOldSessions(
  db: WriteDb,
  { managerId, tokenHash, createdAt }: InsertSessionInput,
): Promise<void> {
  const [oldestKept] = await runPrepared(db, 'oldest session kept', { managerId, tokenHash }, (bind) =>
    db
      .selectFrom('sessions')
      .select('expires_at')
      .where('manager_id', '=', bind<number>('managerId'))
      .where('token_hash', '<>', bind<string>('tokenHash'))
      .orderBy('expires_at', 'desc')
      .limit(sql.lit(1))
      .offset(sql.lit(maxSessionsPerManager - 1)),
  );
  const until = Math.max(createdAt, oldestKept?.expires_at ?? createdAt);
  await runPrepared(db, 'delete old sessions', { managerId, tokenHash, until }, (bind) =>
    db
      .deleteFrom('sessions')
      .where('manager_id', '=', bind<number>('managerId'))
      .where('token_hash', '<>', bind<string>('tokenHash'))
      .where('expires_at', '<=', bind<number>('until')),
  );
}

export async function deleteSession(
  db: WriteDb,
  { tokenHash, managerId }: { readonly tokenHash: string; readonly managerId: number },
): Promise<void> {
  db.changedTopics.add(managerTopic(managerId));
  await db.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute();
}
