// Remembers whether a tenant's database can be written: an indicator for display and readiness, never a permission.

import type { Databases } from '../databases.ts';
import type { TenantDatabase } from '../tenant-database.ts';

export const databaseAccessValues = ['ReadWrite', 'ReadOnly', 'Unavailable'] as const;
export type DatabaseAccess = (typeof databaseAccessValues)[number];

const defaultDeadlineMs = 1500;
const defaultMaxAgeMs = 30_000;

type DatabaseProbe = {
  readonly access: DatabaseAccess;
  /** Why it cannot be written, or not even be read. */
  readonly error?: unknown;
};

export type DatabaseAccessIndicator = {
  /** The last known state, at most `maxAgeMs` old; a promise only if it must be read. */
  getAccess(tenant: string, maxAgeMs?: number): DatabaseAccess | Promise<DatabaseAccess>;
  /** Returns the state with its error, if there is one. It ignores an earlier failure. */
  probe(tenant: string, maxAgeMs: number): DatabaseProbe | Promise<DatabaseProbe>;
};

type KnownProbe = { readonly atMs: number; state: DatabaseProbe | Promise<DatabaseProbe> };

/** A probe ends after `deadlineMs`, whatever the database does. */
export function createDatabaseAccessIndicator(
  databases: Databases,
  deadlineMs = defaultDeadlineMs,
): DatabaseAccessIndicator {
  const probesByTenant = new Map<string, KnownProbe>();
  const startProbe = (tenant: string): Promise<DatabaseProbe> => {
    const probing = probeDatabase(databases.forTenant(tenant), deadlineMs);
    const entry: KnownProbe = { atMs: performance.now(), state: probing };
    probesByTenant.set(tenant, entry);
    return probing.then((state) => (entry.state = state));
  };
  const findProbe = (tenant: string, maxAgeMs: number): KnownProbe['state'] | undefined => {
    const known = probesByTenant.get(tenant);
    return known !== undefined && performance.now() - known.atMs < maxAgeMs ? known.state : undefined;
  };
  return {
    probe: (tenant, maxAgeMs) => {
      const known = findProbe(tenant, maxAgeMs);
      const hasFailed = known !== undefined && !(known instanceof Promise) && known.access !== 'ReadWrite';
      return known === undefined || hasFailed ? startProbe(tenant) : known;
    },
    getAccess: (tenant, maxAgeMs = defaultMaxAgeMs) => {
      const state = findProbe(tenant, maxAgeMs) ?? startProbe(tenant);
      return state instanceof Promise ? state.then(({ access }) => access) : state.access;
    },
  };
}

/** Writes and reads at the same time, so that a database which answers neither costs the deadline once. */
async function probeDatabase(database: TenantDatabase, deadlineMs: number): Promise<DatabaseProbe> {
  const [written, read] = await Promise.allSettled([
    database.write({ deadlineMs }, async (db) => {
      await db
        .updateTable('health')
        .set((eb) => ({ beats: eb('beats', '+', 1) }))
        .where('id', '=', 1)
        .execute();
    }),
    database.read({ deadlineMs }, (db) => db.selectFrom('health').select('beats').execute()),
  ]);
  if (written.status === 'fulfilled') return { access: 'ReadWrite' };
  return read.status === 'fulfilled'
    ? { access: 'ReadOnly', error: written.reason }
    : { access: 'Unavailable', error: read.reason };
}
