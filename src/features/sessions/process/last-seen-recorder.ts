// Records when managers were last seen, to within 15 minutes. No request waits for it, and none fails because of it.

import type { Databases } from '../../../database/databases.ts';
import type { StoredPrincipal } from '../../managers/queries/principal.ts';
import { storeLastSeen } from '../queries/manager-activity.ts';
import { isLastSeenDue } from '../rules/last-seen.ts';

type LastSeenRecorder = {
  /** Called with every use of a session. */
  note(tenant: string, principal: StoredPrincipal, now: number): void;
  /** Waits for writes that are still running. */
  close(): Promise<void>;
};

const deadlineMs = 5000;

export function createLastSeenRecorder(databases: Databases): LastSeenRecorder {
  // A snapshot has the time that was stored when it was read, so it is noted once. A write that fails is tried again
  // with the next snapshot.
  const noted = new WeakSet<StoredPrincipal>();
  /** By tenant: manager -> when. Its writes run one after another, each with all managers that were seen meanwhile. */
  const pending = new Map<string, Map<number, number>>();
  const running = new Map<string, Promise<void>>();

  const writePending = async (tenant: string): Promise<void> => {
    for (let seen = pending.get(tenant); seen !== undefined; seen = pending.get(tenant)) {
      pending.delete(tenant);
      const rows = [...seen].map(([managerId, lastSeenAt]) => ({ managerId, lastSeenAt }));
      await databases
        .forTenant(tenant)
        .write({ deadlineMs }, (db) => storeLastSeen(db, rows))
        // A failure must not affect the request, and storage reports its own failures.
        .catch(() => {});
    }
    running.delete(tenant);
  };

  return {
    note: (tenant, principal, now) => {
      if (!isLastSeenDue(principal.lastSeenAt, now) || noted.has(principal)) return;
      noted.add(principal);
      const seen = pending.get(tenant) ?? new Map<number, number>();
      pending.set(tenant, seen.set(principal.id, now));
      if (!running.has(tenant)) running.set(tenant, writePending(tenant));
    },
    close: async () => {
      await Promise.all(running.values());
    },
  };
}
