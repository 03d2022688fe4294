// Reads whether a computer may still be applying changes of the lists that digests compare.

import type { Db } from '../../../database/db.ts';
import type { GrantedBank } from '../../../permissions/coverage.ts';
import type { SubjectKind, SyncState } from '../../device-sync/rules/sync-state.ts';
import { concerns } from './outbox-records.ts';

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
    .where(concerns(computerName))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
