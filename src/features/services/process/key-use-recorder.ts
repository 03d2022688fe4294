// Records when keys of services were last used, to within a minute. No request waits for it, and none fails because of it.

import type { Databases } from '../../../database/databases.ts';
import { storeKeyUse } from '../queries/write-service.ts';

const intervalMs = 60_000;
const deadlineMs = 5000;

type KeyUse = {
  readonly tenant: string;
  readonly serviceId: number;
  /** MS2000. */
  readonly now: number;
  /** The stored time. */
  readonly lastUsedAt: number | null;
};

type KeyUseRecorder = {
  note(use: KeyUse): void;
  /** Waits for writes that are still running. */
  close(): Promise<void>;
};

export function createKeyUseRecorder(databases: Databases): KeyUseRecorder {
  // A service of a tenant -> its use that was written last, or is being written. There are not many services.
  const written = new Map<string, number>();
  const running = new Set<Promise<void>>();

  const write = async (key: string, { tenant, serviceId, now }: KeyUse): Promise<void> => {
    try {
      await databases.forTenant(tenant).write({ deadlineMs }, (db) => storeKeyUse(db, serviceId, now));
    } catch {
      // Storage reports its own failures. The next use is stored instead.
      written.delete(key);
    }
  };

  return {
    note: (use) => {
      const key = `${use.tenant}/${use.serviceId}`;
      const last = Math.max(use.lastUsedAt ?? Number.NEGATIVE_INFINITY, written.get(key) ?? Number.NEGATIVE_INFINITY);
      if (use.now - last < intervalMs) return;
      written.set(key, use.now);
      const writing = write(key, use).finally(() => running.delete(writing));
      running.add(writing);
    },
    close: async () => {
      await Promise.all(running);
    },
  };
}
