// Stores when managers were last seen.

import type { WriteDb } from '../../../database/db.ts';
import { lastSeenIntervalMs } from '../rules/last-seen.ts';

type LastSeen = { readonly managerId: number; readonly lastSeenAt: number };

/** Skips a manager for whom any process has stored a time less than the interval ago. */
export async function storeLastSeen(db: WriteDb, seen: readonly LastSeen[]): Promise<void> {
  const ids = seen.map(({ managerId }) => managerId);
  const stored = await db
    .selectFrom('manager_activity')
    .select(['manager_id', 'last_seen_at'])
    .where(({ ref }) => db.dialect.inList(ref('manager_id'), ids))
    .execute();
  const storedAt = new Map(stored.map(({ manager_id, last_seen_at }) => [manager_id, last_seen_at]));
  const rows = seen.filter(({ managerId, lastSeenAt }) => {
    const before = storedAt.get(managerId);
    return before === undefined || lastSeenAt - before >= lastSeenIntervalMs;
  });
  if (rows.length > 0) await upsertLastSeen(db, rows);
}

export const upsertLastSeen = (db: WriteDb, seen: readonly LastSeen[]): Promise<void> =>
  db.dialect.upsertRows(
    db,
    'manager_activity',
    seen.map(({ managerId, lastSeenAt }) => ({ manager_id: managerId, last_seen_at: lastSeenAt })),
    { key: ['manager_id'], sum: [], max: ['last_seen_at'] },
  );
