// Whether a tenant's database can be written: a cached indicator for display and readiness, never a permission.

import type { Databases } from '../../database/databases.ts';
import type { DatabaseAccess } from './schemas.ts';

const deadlineMs = 2000;

export type DatabaseAccessIndicator = {
  /** The last known state, at most `maxAgeMs` old when it was asked for; at once where it is known. */
  of(tenant: string, maxAgeMs?: number): DatabaseAccess | Promise<DatabaseAccess>;
};

export function databaseAccessIndicator(databases: Databases): DatabaseAccessIndicator {
  const known = new Map<string, { readonly atMs: number; state: DatabaseAccess | Promise<DatabaseAccess> }>();
  return {
    of: (tenant, maxAgeMs = 30_000) => {
      const last = known.get(tenant);
      const nowMs = performance.now();
      if (last !== undefined && nowMs - last.atMs < maxAgeMs) return last.state;
      const probing = probe(databases, tenant);
      const asked = { atMs: nowMs, state: probing as DatabaseAccess | Promise<DatabaseAccess> };
      known.set(tenant, asked);
      return probing.then((state) => (asked.state = state));
    },
  };
}

async function probe(databases: Databases, tenant: string): Promise<DatabaseAccess> {
  const database = databases.of(tenant);
  const succeeds = (work: Promise<unknown>): Promise<boolean> =>
    work.then(
      () => true,
      () => false,
    );
  const beat = database.write({ deadlineMs }, async (db) => {
    await db
      .updateTable('health')
      .set((eb) => ({ beats: eb('beats', '+', 1) }))
      .where('id', '=', 1)
      .execute();
  });
  if (await succeeds(beat)) return 'ReadWrite';
  const look = database.read({ deadlineMs }, (db) => db.selectFrom('health').select('beats').execute());
  return (await succeeds(look)) ? 'ReadOnly' : 'Unavailable';
}
