// Gives keys to residents, with the history, the audit log and the records for the devices, as AddKey does. It runs in the
// transaction of the caller, who has taken the locks, at the cost of a few statements for all of them.

import { orDuplicateProblem } from '../../database/duplicate-problem.ts';
import type { WriteDb } from '../../database/db.ts';
import { createUserKidFormatter, formatBankKid } from '../../lib/kid.ts';
import type { GrantedBank } from '../../permissions/coverage.ts';
import { appendAudits } from '../audit/queries/append-audit.ts';
import type { AuditContext } from '../audit/rules/audit-context.ts';
import { queueSyncs } from '../device-sync/queries/outbox.ts';
import { addKeyWords, advanceRevisions } from './queries/write-keys.ts';
import { insertHistory, insertKeys, type NewKey } from './queries/write-resident.ts';
import { editorOf, listRecordedChanges } from './rules/recorded-changes.ts';

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
  const history = keys.map(({ residentId, key: { number } }) => {
    const resident = residents.get(residentId)!;
    resident.revision += 1;
    return {
      resident_id: residentId,
      revision: resident.revision,
      changed_at: now,
      editor_id: editorOf(actor),
      command,
      old_value: null,
      new_value: number,
    };
  });
  await insertHistory(db, bank, history);
  const syncs = keys.map(({ residentId }) => ({
    subjectKind: 'resident' as const,
    subjectId: residentId,
    locationId: residents.get(residentId)!.locationId ?? 0,
    unitId: 0,
  }));
  await queueSyncs(db, bank, syncs, now);
  const formatUserKid = createUserKidFormatter(formatBankKid(bank.tenant, bank.bankId));
  const records = keys.map(({ residentId, key: { number } }) => ({
    object: formatUserKid(residentId),
    bankId: bank.bankId,
    ...listRecordedChanges(command, { oldValue: null, newValue: number }),
  }));
  await appendAudits(db, actor, records);
}
