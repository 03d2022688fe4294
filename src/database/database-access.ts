// Remembers whether a tenant's database can be written: an indicator for display and readiness, never a permission.

import type { Databases } from './databases.ts';

export const databaseAccessValues = ['ReadWrite', 'ReadOnly', 'Unavailable'] as const;
export type DatabaseAccess = (typeof databaseAccessValues)[number];

const probeDeadlineMs = 2000;

export type DatabaseAccessIndicator = {
  /** The last known state, at most `maxAgeMs` old; a promise only if it must be read. */
  getAccess(tenant: string, maxAgeMs?: number): DatabaseAccess | Promise<DatabaseAccess>;
};

export function createDatabaseAccessIndicator(databases: Databases): DatabaseAccessIndicator {
  const accessByTenant = new Map<string, { readonly atMs: number; state: DatabaseAccess | Promise<DatabaseAccess> }>();
  return {
    getAccess: (tenant, maxAgeMs = 30_000) => {
      const cachedAccess = accessByTenant.get(tenant);
      const nowMs = performance.now();
      if (cachedAccess !== undefined && nowMs - cachedAccess.atMs < maxAgeMs) return cachedAccess.state;
      const probing = probeDatabaseAccess(databases, tenant);
      const entry = { atMs: nowMs, state: probing as DatabaseAccess | Promise<DatabaseAccess> };
      accessByTenant.set(tenant, entry);
      return probing.then((state) => (entry.state = state));
    },
  };
}

async function probeDatabaseAccess(databases: Databases, tenant: string): Promise<DatabaseAccess> {
  const database = databases.forTenant(tenant);
  const succeeds = (work: Promise<unknown>): Promise<boolean> =>
    work.then(
      () => true,
      () => false,
    );
  const heartbeatWrite = database.write({ deadlineMs: probeDeadlineMs }, async (db) => {
    await db
      .updateTable('health')
      .set((eb) => ({ beats: eb('beats', '+', 1) }))
      .where('id', '=', 1)
      .execute();
  });
  if (await succeeds(heartbeatWrite)) return 'ReadWrite';
  const heartbeatRead = database.read({ deadlineMs: probeDeadlineMs }, (db) =>
    db.selectFrom('health').select('beats').execute(),
  );
  return (await succeeds(heartbeatRead)) ? 'ReadOnly' : 'Unavailable';
}
