// How far a computer has come: the versions that stood in an answer, those that it has applied, and whether it may still be
// applying some.

import type { Tables } from '../../../database/tables.ts';
import { sql } from 'kysely';
import type { Db, WriteDb } from '../../../database/db.ts';
import { createLock, type Lock } from '../../../database/locks.ts';
import type { GrantedBank } from '../../../permissions/coverage.ts';
import type { SubjectKind, SyncState } from '../../outbox/rules/sync-state.ts';
import { isForComputer } from './outbox-records.ts';

type ComputerProgress = Pick<Tables['computer_states'], 'sent_version' | 'acknowledged_version' | 'digests_equal'>;

export const readProgress = async (
  db: Db,
  { bankId }: GrantedBank,
  computerId: number,
): Promise<ComputerProgress | undefined> =>
  db
    .selectFrom('computer_states')
    .select(['sent_version', 'acknowledged_version', 'digests_equal'])
    .where('bank_id', '=', bankId)
    .where('computer_id', '=', computerId)
    .executeTakeFirst();

type Versions = { readonly sent?: number; readonly acknowledged?: number };

export const progressLock = (bank: GrantedBank, computerId: number, versions: Versions): Lock<void> =>
  createLock('computer-state', [bank.bankId, computerId], {
    update: (db) => advanceProgress(db, bank, computerId, versions),
  });

/** Versions only grow. */
export async function advanceProgress(
  db: WriteDb,
  { bankId }: GrantedBank,
  computerId: number,
  { sent = 0, acknowledged = 0 }: Versions,
): Promise<void> {
  await sql`update computer_states set
      sent_version = case when sent_version < ${sent} then ${sent} else sent_version end,
      acknowledged_version =
        case when acknowledged_version < ${acknowledged} then ${acknowledged} else acknowledged_version end
    where bank_id = ${bankId} and computer_id = ${computerId}`.execute(db);
}

export async function storeDigestsEqual(
  db: WriteDb,
  { bankId }: GrantedBank,
  computerId: number,
  isEqual: boolean,
): Promise<void> {
  await db
    .updateTable('computer_states')
    .set({ digests_equal: isEqual ? 1 : 0 })
    .where('bank_id', '=', bankId)
    .where('computer_id', '=', computerId)
    .execute();
}

/** The last version of each bank. It says nothing of what is in the outbox, and so needs no grant. */
export async function readHeads(db: Db, bankIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('device_sync_heads')
    .select(['bank_id', 'queued'])
    .where(({ ref }) => db.dialect.inList(ref('bank_id'), bankIds))
    .execute();
  return new Map(rows.map(({ bank_id, queued }) => [bank_id, queued]));
}

const listedKinds: readonly SubjectKind[] = ['setting', 'booking', 'resident'];
const toldStates: readonly SyncState[] = ['sent', 'acknowledged'];

type UnconfirmedInput = {
  readonly computerName: string;
  /** What the computer was told. */
  readonly sent: number;
  /** What it has confirmed. */
  readonly acknowledged: number;
  /** MS2000. What was queued and told before is no longer on its way. */
  readonly since: number;
};

/** Whether there is a change that the computer was not told yet, or that it was told and has not confirmed. */
export async function hasUnconfirmedChanges(
  db: Db,
  { bankId }: GrantedBank,
  { computerName, sent, acknowledged, since }: UnconfirmedInput,
): Promise<boolean> {
  const row = await db
    .selectFrom('device_sync as d')
    .select('sync_id')
    .where('d.bank_id', '=', bankId)
    .where('sync_id', '>', Math.min(sent, acknowledged))
    .where('subject_kind', 'in', listedKinds)
    .where(({ or, eb }) => or([eb('created_at', '>=', since), eb('updated_at', '>=', since)]))
    // A record that nobody was told means nothing to devices, such as a resident without keys.
    .where(({ or, and, eb }) =>
      or([eb('sync_id', '>', sent), and([eb('sync_id', '>', acknowledged), eb('state', 'in', toldStates)])]),
    )
    .where(isForComputer(computerName))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
