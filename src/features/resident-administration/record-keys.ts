// Gives keys to residents, with the history, the audit log and the records for the devices, as AddKey does. It runs in the
// transaction of the caller, who has taken the locks, at the cost of a few statements for all of them.

import { recordResidentChanges } from './record-changes.ts';
import { orDuplicateProblem } from '../../database/duplicate-problem.ts';
import type { WriteDb } from '../../database/db.ts';
import type { GrantedBank } from '../../permissions/coverage.ts';
import type { AuditContext } from '../audit/rules/audit-context.ts';
import { addKeyWords, advanceRevisions } from './queries/write-keys.ts';
import { insertKeys, type NewKey } from './queries/write-resident.ts';
import { listRecordedChanges } from './rules/recorded-changes.ts';

const command = 'AddKey';

/** AddKey must be allowed for every resident. Throws 409 `key-exists` if somebody else has a number. */
export async function recordNewKeys(
  db: WriteDb,
  actor: AuditContext,
  bank: GrantedBank,
  keys: readonly NewKey[],
): Promise<void> {
  if (keys.length === 0) return;
  const { now } = actor;
  // A number is one key of the tenant, a tag or a card.
  await orDuplicateProblem(db, 'key-exists', () => insertKeys(db, bank, keys, now));
  await addKeyWords(db, bank, keys);
  const residents = await advanceRevisions(
    db,
    bank,
    keys.map(({ residentId }) => residentId),
  );
  const changes = keys.map(({ residentId, key: { number } }) => {
    const resident = residents.get(residentId)!;
    resident.revision += 1;
    const change = { command, oldValue: null, newValue: number } as const;
    return {
      residentId,
      revision: resident.revision,
      ...change,
      locationIds: [resident.locationId ?? 0],
      recorded: listRecordedChanges(command, change),
    };
  });
  await recordResidentChanges(db, actor, bank, changes);
}
