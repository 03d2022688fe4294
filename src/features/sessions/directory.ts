// The authorisation snapshot: what a token opens, at most 60 seconds old and dropped at once where it is changed.

import { LRUCache } from 'lru-cache';
import { hash } from 'node:crypto';
import type { Databases } from '../../database/databases.ts';
import type { Db } from '../../database/dialect.ts';
import type { Principal, SessionDirectory } from '../../http/principal.ts';
import { toMs2000 } from '../../lib/ms2000.ts';
import type { Environment } from '../../permissions/scope.ts';
import { readRights } from '../managers/queries.ts';
import { findLiveSession } from './queries.ts';

const snapshotMs = 60_000;
const maxSnapshots = 20_000;
const deadlineMs = 5000;

export type Sessions = SessionDirectory & {
  /** Drops what is remembered of one token. */
  forgetToken(tenant: string, tokenHash: string): void;
  /** Drops what is remembered of a manager: after a change of rights, password or activity. */
  forgetManager(tenant: string, managerId: number): void;
};

export const hashToken = (token: string): string => hash('sha256', token, 'hex');

type Snapshot = {
  readonly readAtMs: number;
  readonly tenant: string;
  readonly reading: Promise<Principal | undefined>;
  /** What was read, once it was. */
  principal: Principal | undefined;
};

/** `clock` answers epoch milliseconds, `monotonic` milliseconds that never go back. */
export function sessionDirectory(
  databases: Databases,
  clock: () => number,
  monotonic: () => number = () => performance.now(),
): Sessions {
  const snapshots = new LRUCache<string, Snapshot>({ max: maxSnapshots });
  const now = (): number => toMs2000(clock());

  const fresh = (key: string, tenant: string, environment: Environment, tokenHash: string): Snapshot => {
    // Age counts from before the read: what it saw may have changed while it ran.
    const readAtMs = monotonic();
    const reading = databases.of(tenant).read({ deadlineMs }, (db) => readPrincipal(db, tokenHash, environment, now()));
    const snapshot: Snapshot = { readAtMs, tenant, reading, principal: undefined };
    snapshots.set(key, snapshot);
    const forget = (): void => {
      if (snapshots.peek(key) === snapshot) snapshots.delete(key);
    };
    reading.then((found) => {
      snapshot.principal = found;
      // A token unknown here may be issued by another replica the next moment.
      if (found === undefined) forget();
    }, forget);
    return snapshot;
  };
  const drop = (tenant: string, matches: (snapshot: Snapshot) => boolean): void => {
    for (const [key, snapshot] of snapshots.entries())
      if (snapshot.tenant === tenant && matches(snapshot)) snapshots.delete(key);
  };
  const live = (principal: Principal | undefined): Principal | undefined =>
    principal !== undefined && principal.expiresAt > now() ? principal : undefined;
  return {
    find: (tenant, environment, token) => {
      const tokenHash = hashToken(token);
      const key = `${tenant}/${environment}/${tokenHash}`;
      const known = snapshots.get(key);
      const current =
        known !== undefined && monotonic() - known.readAtMs < snapshotMs
          ? known
          : fresh(key, tenant, environment, tokenHash);
      return current.principal === undefined ? current.reading.then(live) : live(current.principal);
    },
    reread: (db, { tokenHash, environment }) => readPrincipal(db, tokenHash, environment, now()),
    forgetToken: (tenant, tokenHash) => {
      for (const environment of ['production', 'beta']) snapshots.delete(`${tenant}/${environment}/${tokenHash}`);
    },
    // One still being read may be of this manager.
    forgetManager: (tenant, managerId) =>
      drop(tenant, ({ principal }) => principal === undefined || principal.managerId === managerId),
  };
}

/** A token's principal as the database has it; undefined where the session is not good (any more). */
export async function readPrincipal(
  db: Db,
  tokenHash: string,
  environment: Environment,
  now: number,
): Promise<Principal | undefined> {
  const session = await findLiveSession(db, tokenHash, environment, now);
  if (session === undefined) return undefined;
  return {
    ...(await readRights(db, session.manager_id)),
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
