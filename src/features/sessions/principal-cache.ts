// The authorisation snapshot: what a token opens, at most 60 seconds old and dropped at once where it is changed.

import { LRUCache } from 'lru-cache';
import { hash } from 'node:crypto';
import type { Databases } from '../../database/databases.ts';
import type { Db } from '../../database/db.ts';
import type { Principal, PrincipalProvider } from '../../http/context/principal.ts';
import { toMs2000 } from '../../lib/ms2000.ts';
import type { Environment } from '../../permissions/scope.ts';
import { readManagerRights } from '../credentials/queries/managers.ts';
import { findValidSession } from './queries/sessions.ts';

const maxSnapshotAgeMs = 60_000;
const maxSnapshots = 20_000;
const readDeadlineMs = 5000;

export type PrincipalCache = PrincipalProvider & {
  /** Drops what is remembered of one token. */
  invalidateToken(tenant: string, tokenHash: string): void;
  /** Drops what is remembered of a manager: after a change of rights, password or activity. */
  invalidateManager(tenant: string, managerId: number): void;
};

export const hashToken = (token: string): string => hash('sha256', token, 'hex');

type PrincipalSnapshot = {
  readonly readAtMs: number;
  readonly tenant: string;
  readonly pendingPrincipal: Promise<Principal | undefined>;
  /** What was read, once it was. */
  principal: Principal | undefined;
};

/** `clock` answers epoch milliseconds, `monotonic` milliseconds that never go back. */
export function createPrincipalCache(
  databases: Databases,
  clock: () => number,
  monotonic: () => number = () => performance.now(),
): PrincipalCache {
  const snapshots = new LRUCache<string, PrincipalSnapshot>({ max: maxSnapshots });
  const now = (): number => toMs2000(clock());

  const startSnapshot = (
    key: string,
    tenant: string,
    environment: Environment,
    tokenHash: string,
  ): PrincipalSnapshot => {
    // Age counts from before the read: what it saw may have changed while it ran.
    const readAtMs = monotonic();
    const reading = databases
      .forTenant(tenant)
      .read({ deadlineMs: readDeadlineMs }, (db) => readPrincipal(db, tokenHash, environment, now()));
    const snapshot: PrincipalSnapshot = { readAtMs, tenant, pendingPrincipal: reading, principal: undefined };
    snapshots.set(key, snapshot);
    const removeSnapshot = (): void => {
      if (snapshots.peek(key) === snapshot) snapshots.delete(key);
    };
    reading.then((found) => {
      snapshot.principal = found;
      // A token unknown here may be issued by another replica the next moment.
      if (found === undefined) removeSnapshot();
    }, removeSnapshot);
    return snapshot;
  };
  const removeSnapshots = (tenant: string, matches: (snapshot: PrincipalSnapshot) => boolean): void => {
    for (const [key, snapshot] of snapshots.entries())
      if (snapshot.tenant === tenant && matches(snapshot)) snapshots.delete(key);
  };
  const unlessExpired = (principal: Principal | undefined): Principal | undefined =>
    principal !== undefined && principal.expiresAt > now() ? principal : undefined;
  return {
    findPrincipal: (tenant, environment, token) => {
      const tokenHash = hashToken(token);
      const key = `${tenant}/${environment}/${tokenHash}`;
      const cachedSnapshot = snapshots.get(key);
      const snapshot =
        cachedSnapshot !== undefined && monotonic() - cachedSnapshot.readAtMs < maxSnapshotAgeMs
          ? cachedSnapshot
          : startSnapshot(key, tenant, environment, tokenHash);
      return snapshot.principal === undefined
        ? snapshot.pendingPrincipal.then(unlessExpired)
        : unlessExpired(snapshot.principal);
    },
    readCurrentPrincipal: (db, { tokenHash, environment }) => readPrincipal(db, tokenHash, environment, now()),
    invalidateToken: (tenant, tokenHash) => {
      for (const environment of ['production', 'beta']) snapshots.delete(`${tenant}/${environment}/${tokenHash}`);
    },
    // One still being read may be of this manager.
    invalidateManager: (tenant, managerId) =>
      removeSnapshots(tenant, ({ principal }) => principal === undefined || principal.managerId === managerId),
  };
}

/** A token's principal as the database has it; undefined where the session is not good (any more). */
export async function readPrincipal(
  db: Db,
  tokenHash: string,
  environment: Environment,
  now: number,
): Promise<Principal | undefined> {
  const session = await findValidSession(db, tokenHash, environment, now);
  if (session === undefined) return undefined;
  return {
    ...(await readManagerRights(db, session.manager_id)),
    managerId: session.manager_id,
    tokenHash,
    environment,
    expiresAt: session.expires_at,
    retentionDays: session.retention_days,
    profile: {
      name: session.name,
      email: session.email,
      organisation: session.organisation,
      personIcon: session.person_icon,
      theme: session.theme,
    },
  };
}
