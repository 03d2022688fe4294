// Reads the principal of a token: whether its session is valid, and what its manager may do.

import { sql } from 'kysely';
import type { Db } from '../../../database/db.ts';
import { runPrepared } from '../../../database/statements/prepared-query.ts';
import type { Principal } from '../../../http/context/principal.ts';
import type { Rights } from '../../../permissions/needs.ts';
import type { Environment } from '../../../permissions/scope.ts';
import { readManagerRights } from './manager-rights.ts';

export type StoredPrincipal = Principal & {
  /** The stored time at which a session of the manager was last used, MS2000. */
  readonly lastSeenAt: number | null;
};

type SessionKey = Pick<Principal, 'tokenHash' | 'environment'> & {
  /** The time at which the session must be valid, MS2000. */
  readonly now: number;
};

/** Undefined if the session is not valid. */
export async function readPrincipal(db: Db, key: SessionKey): Promise<StoredPrincipal | undefined> {
  const session = await findValidSession(db, key);
  return session === undefined ? undefined : toPrincipal(key, session, await readManagerRights(db, session.manager_id));
}

/** Reads the principal of a manager who is known: session and rights are read at the same time. */
export async function readPrincipalOf(
  db: Db,
  managerId: number,
  key: SessionKey,
): Promise<StoredPrincipal | undefined> {
  const [session, rights] = await Promise.all([findValidSession(db, key), readManagerRights(db, managerId)]);
  return session === undefined ? undefined : toPrincipal(key, session, rights);
}

type ValidSession = NonNullable<Awaited<ReturnType<typeof findValidSession>>>;

function toPrincipal(key: SessionKey, session: ValidSession, rights: Rights): StoredPrincipal {
  return {
    ...rights,
    id: session.manager_id,
    tokenHash: key.tokenHash,
    environment: key.environment,
    expiresAt: session.expires_at,
    retentionDays: session.retention_days,
    lastSeenAt: session.last_seen_at,
    profile: {
      name: session.name,
      email: session.email,
      organisation: session.organisation,
      personIcon: session.person_icon,
      theme: session.theme,
    },
  };
}

/** A session that has not expired, of an active manager whose credential stamp has not changed since login. */
async function findValidSession(db: Db, { tokenHash, environment, now }: SessionKey) {
  const [session] = await runPrepared(db, 'valid session', { tokenHash, environment, now }, (bind) =>
    db
      .selectFrom('sessions')
      .innerJoin('managers', 'managers.manager_id', 'sessions.manager_id')
      .leftJoin('manager_activity', 'manager_activity.manager_id', 'sessions.manager_id')
      .select([
        'managers.manager_id',
        'managers.name',
        'managers.email',
        'managers.organisation',
        'managers.person_icon',
        'managers.theme',
        'managers.retention_days',
        'sessions.expires_at',
        'manager_activity.last_seen_at',
      ])
      .where('sessions.token_hash', '=', bind<string>('tokenHash'))
      .where('sessions.environment', '=', bind<Environment>('environment'))
      .where('sessions.expires_at', '>', bind<number>('now'))
      .where('managers.active', '=', sql.lit(1))
      .where('managers.deleted_at', 'is', null)
      .whereRef('managers.credential_stamp', '=', 'sessions.credential_stamp'),
  );
  return session;
}
