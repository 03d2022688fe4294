// Reads the changes of a computer since a version, and records that they stand in an answer.

import type { Db, LockableDb } from '../../database/db.ts';
import { takeLocks } from '../../database/locks.ts';
import { Problem } from '../../lib/problem.ts';
import { outboxLock } from '../device-sync/queries/outbox.ts';
import { advanceProgress, readProgress } from './queries/computer-progress.ts';
import { listRecordsAfter, moveRecords, readDesiredHead, supersedeReplacedSettings } from './queries/outbox-records.ts';
import { readChangedThings, type ComputerOfThings } from './read-things.ts';
import type { VersionedThing } from './rules/desired-thing.ts';

const maxRecords = 500;

export type Changes = {
  /** Where the next read begins. */
  readonly version: number;
  /** Whether there are more. */
  readonly more: boolean;
  readonly changes: readonly VersionedThing[];
  /** The ids of records by what becomes of them. */
  readonly sent: readonly number[];
  readonly overtaken: readonly number[];
  readonly expired: readonly number[];
  /** Whether nobody was told of this version before. */
  readonly isNew: boolean;
};

type ComputerSince = ComputerOfThings & {
  /** Older versions than this one are in no answer of changes. */
  readonly desiredFrom: number;
};

/** Throws 410 where the version is older than what the outbox has for the computer, or newer than the outbox is. */
export async function readChanges(db: Db, computer: ComputerSince, after: number): Promise<Changes> {
  const { bank, name, computerId, desiredFrom } = computer;
  const [head, progress] = await Promise.all([readDesiredHead(db, bank), readProgress(db, bank, computerId)]);
  if (after < desiredFrom || after > head) throw new Problem('resync');
  const range = { after, through: head };
  const records = await listRecordsAfter(db, bank, { ...range, computerName: name, limit: maxRecords });
  const more = records.length === maxRecords;
  const version = more ? (records.at(-1)?.sync_id ?? head) : head;
  const things =
    records.length === 0 ? [] : await readChangedThings(db, computer, records, { after, through: version });
  const told = new Set(things.flatMap(({ syncId, otherSyncIds = [] }) => [syncId, ...otherSyncIds]));
  const untold = records.filter(({ sync_id }) => !told.has(sync_id));
  return {
    version,
    more,
    changes: things.map(({ syncId, thing }) => ({ v: syncId, ...thing })),
    sent: [...told],
    // A command that is not told has expired or is done. Whatever else is not told was overtaken.
    expired: untold.filter(({ subject_kind }) => subject_kind === 'command').map(({ sync_id }) => sync_id),
    overtaken: untold.filter(isOvertaken).map(({ sync_id }) => sync_id),
    isNew: version > (progress?.sent_version ?? 0),
  };
}

/** Records for all computers of the bank mean something to another one of them even if they mean nothing to this one. */
const isOvertaken = ({ subject_kind, unit_id }: { readonly subject_kind: string; readonly unit_id: number }): boolean =>
  unit_id !== 0 && subject_kind !== 'command' && subject_kind !== 'posting';

/** Whether an answer with these changes has to be recorded. */
export const needsRecord = ({ isNew, sent, overtaken, expired }: Changes): boolean =>
  isNew || sent.length + overtaken.length + expired.length > 0;

/** In the transaction before the answer: a record is sent when it stands in an answer, and not when it was queued. */
export async function recordSent(
  db: LockableDb,
  { bank, computerId, now }: ComputerOfThings,
  { sent, overtaken, expired, version }: Changes,
): Promise<void> {
  await takeLocks(db, [outboxLock(bank)]);
  await moveRecords(db, bank, sent, { from: ['queued', 'sent'], to: 'sent', now });
  await moveRecords(db, bank, overtaken, { from: ['queued', 'sent', 'failed'], to: 'superseded', now });
  if (sent.length > 0) await supersedeReplacedSettings(db, bank, { through: version, now });
  await moveRecords(db, bank, expired, { from: ['queued', 'sent'], to: 'expired', now });
  await advanceProgress(db, bank, computerId, { sent: version });
}
