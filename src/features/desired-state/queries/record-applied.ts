// Records what devices say of versions that they were sent: only they acknowledge.

import type { LockableDb } from '../../../database/db.ts';
import type { GrantedBank } from '../../../permissions/coverage.ts';
import { advanceProgress, readProgress } from './computer-progress.ts';
import {
  acknowledgeEarlierHours,
  acknowledgeShared,
  acknowledgeThrough,
  answerRecords,
  failShared,
  listOwnRecords,
  readDesiredHead,
} from './outbox-records.ts';

type AppliedVersion = { readonly v: number; readonly ok: boolean; readonly code: string | null };

type Applied = {
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
  const [head, progress] = await Promise.all([readDesiredHead(db, bank), readProgress(db, bank, computerId)]);
  const applied = Math.min(snapshot, head);
  const lastTold = Math.max(progress?.sent_version ?? 0, applied);
  const told = versions.filter(({ v }) => v <= lastTold);
  if (applied > 0) await acknowledgeThrough(db, bank, { computerName: name, through: applied, now });
  const accepted = told.filter(({ ok }) => ok).map(({ v }) => v);
  await answerOwnRecords(db, bank, { name, told, now });
  await acknowledgeEarlierHours(db, bank, { computerName: name, now }, accepted);
  const acknowledged = Math.max(applied, ...told.map(({ v }) => v));
  await advanceProgress(db, bank, computerId, { acknowledged });
  await acknowledgeShared(db, bank, { acknowledged, now });
}

type ToldInput = { readonly name: string; readonly told: readonly AppliedVersion[]; readonly now: number };

/** Those that were refused one by one, in their order: each has a code of its own. */
async function answerOwnRecords(db: LockableDb, bank: GrantedBank, { name, told, now }: ToldInput): Promise<void> {
  const from = ['sent', 'failed'] as const;
  const ids = told.map(({ v }) => v);
  const own = await listOwnRecords(db, bank, name, ids);
  const accepted = told.filter(({ v, ok }) => ok && own.has(v)).map(({ v }) => v);
  await answerRecords(db, bank, accepted, { state: 'acknowledged', code: null, from, now });
  for (const { v: syncId, ok, code } of told) {
    if (ok) continue;
    if (own.has(syncId)) await answerRecords(db, bank, [syncId], { state: 'failed', code, from, now });
    else await failShared(db, bank, { syncId, code, now });
  }
}
