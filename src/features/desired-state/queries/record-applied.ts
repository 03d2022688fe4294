// Records what devices say of versions that they were sent: only they acknowledge.

import type { LockableDb } from '../../../database/db.ts';
import type { GrantedBank } from '../../../permissions/coverage.ts';
import { advanceProgress } from './computer-progress.ts';
import { acknowledgeShared, acknowledgeThrough, answerRecord, failShared } from './outbox-records.ts';

type AppliedVersion = { readonly v: number; readonly ok: boolean; readonly code: string | null };

export type Applied = {
  readonly versions: readonly AppliedVersion[];
  /** Everything up to this version was applied at once. */
  readonly snapshot?: number;
};

/**
 * Versions of other computers' units, and versions that were never sent, change nothing. The write has declared the lock
 * of the outbox.
 */
export async function recordApplied(
  db: LockableDb,
  bank: GrantedBank,
  { computerId, name }: { readonly computerId: number; readonly name: string },
  { versions, snapshot = 0 }: Applied,
  now: number,
): Promise<void> {
  if (snapshot > 0) await acknowledgeThrough(db, bank, { computerName: name, through: snapshot, now });
  for (const { v: syncId, ok, code } of versions) {
    await answerRecord(db, bank, { computerName: name, now }, { syncId, ok, code });
    if (!ok) await failShared(db, bank, { syncId, code, now });
  }
  const acknowledged = Math.max(snapshot, ...versions.map(({ v }) => v), 0);
  await advanceProgress(db, bank, computerId, { acknowledged });
  await acknowledgeShared(db, bank, now);
}
