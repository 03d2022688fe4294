// Stores snapshots of the tenant status, so that every replica of the service finds them, and deletes those that nobody may
// use any longer.

import type { Db, WriteDb } from '../../../database/db.ts';
import type { SnapshotOwner } from '../process/snapshot-store.ts';
import type { StatusReading } from '../read-status.ts';
import { maxAgeMs, maxPerManager } from '../rules/page-cursor.ts';

type NewSnapshot = { readonly id: string; readonly snapshot: StatusReading; readonly dropped: readonly string[] };

/** `dropped` are snapshots of the owner that are no longer kept. */
export async function storeSnapshot(
  db: WriteDb,
  { scope, principal, now }: SnapshotOwner,
  { id, snapshot, dropped }: NewSnapshot,
): Promise<void> {
  const { environment } = scope;
  const { measuredAt, ...content } = snapshot;
  const own = await db
    .selectFrom('status_snapshots')
    .select('snapshot_id')
    .where('manager_id', '=', principal.id)
    .where('environment', '=', environment)
    .orderBy('measured_at', 'desc')
    .orderBy('snapshot_id')
    .execute();
  const kept = own.map(({ snapshot_id }) => snapshot_id).filter((each) => !dropped.includes(each));
  const unused = [...kept.slice(maxPerManager - 1), ...dropped];
  if (unused.length > 0) await db.deleteFrom('status_snapshots').where('snapshot_id', 'in', unused).execute();
  await db
    .deleteFrom('status_snapshots')
    .where('measured_at', '<', now - maxAgeMs)
    .execute();
  await db
    .insertInto('status_snapshots')
    .values({
      snapshot_id: id,
      environment,
      manager_id: principal.id,
      measured_at: measuredAt,
      content: JSON.stringify(content),
    })
    .execute();
}

/** Undefined if the owner has no snapshot with this id, or it is too old. */
export async function findStoredSnapshot(
  db: Db,
  { scope, principal, now }: SnapshotOwner,
  id: string,
): Promise<StatusReading | undefined> {
  const row = await db
    .selectFrom('status_snapshots')
    .select(['measured_at', 'content'])
    .where('snapshot_id', '=', id)
    .where('manager_id', '=', principal.id)
    .where('environment', '=', scope.environment)
    .where('measured_at', '>=', now - maxAgeMs)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const content = JSON.parse(row.content) as Omit<StatusReading, 'measuredAt'>;
  return { ...content, measuredAt: row.measured_at };
}
