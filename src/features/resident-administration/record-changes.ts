// Records what was done to residents: in their histories, for the devices of their locations, and in the audit log.

import type { WriteDb } from '../../database/db.ts';
import { createUserKidFormatter, formatBankKid } from '../../lib/kid.ts';
import type { GrantedBank } from '../../permissions/coverage.ts';
import { appendAudits, type AuditRecord } from '../audit/queries/append-audit.ts';
import type { AuditContext } from '../audit/rules/audit-context.ts';
import { queueSyncs } from '../outbox/queries/outbox.ts';
import { insertHistory } from './queries/write-resident.ts';
import { editorOf } from './rules/recorded-changes.ts';

type ResidentChange = {
  readonly residentId: number;
  /** That of the resident after the change. */
  readonly revision: number;
  readonly command: string;
  /** For the history; null for a secret. */
  readonly oldValue: string | null;
  readonly newValue: string | null;
  /** Those whose devices have to know it; 0 for none. */
  readonly locationIds: readonly number[];
  /** Keys that devices have to forget. */
  readonly endedKeys?: readonly string[] | undefined;
  /** For the audit log. */
  readonly recorded: Pick<AuditRecord, 'before' | 'after'>;
};

/** In the order of the changes, at the cost of a few statements for all of them. */
export async function recordResidentChanges(
  db: WriteDb,
  actor: AuditContext,
  bank: GrantedBank,
  changes: readonly ResidentChange[],
): Promise<void> {
  const { now } = actor;
  const history = changes.map(({ residentId, revision, command, oldValue, newValue }) => ({
    resident_id: residentId,
    revision,
    changed_at: now,
    editor_id: editorOf(actor),
    command,
    old_value: oldValue,
    new_value: newValue,
  }));
  await insertHistory(db, bank, history);
  await queueSyncs(db, bank, changes.flatMap(listSyncs), now);
  const formatUserKid = createUserKidFormatter(formatBankKid(bank.tenant, bank.bankId));
  const records = changes.map(({ residentId, recorded }) => ({
    object: formatUserKid(residentId),
    bankId: bank.bankId,
    ...recorded,
  }));
  await appendAudits(db, actor, records);
}

const listSyncs = ({ residentId, locationIds, endedKeys }: ResidentChange) =>
  locationIds.map((locationId) => ({
    subjectKind: 'resident' as const,
    subjectId: residentId,
    locationId,
    unitId: 0,
    ...(endedKeys === undefined ? {} : { detail: { endedKeys } }),
  }));
