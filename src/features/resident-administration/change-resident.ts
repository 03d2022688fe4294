// Changes residents by commands, with the history, the audit log and the records for the devices. It runs in the
// transaction of the caller, who has taken the locks.

import { orDuplicateProblem } from '../../database/duplicate-problem.ts';
import type { WriteDb } from '../../database/db.ts';
import { formatBankKid, createUserKidFormatter } from '../../lib/kid.ts';
import { Problem } from '../../lib/problem.ts';
import type { GrantedBank } from '../../permissions/coverage.ts';
import { appendAudits } from '../audit/queries/append-audit.ts';
import type { AuditContext } from '../audit/rules/audit-context.ts';
import { queueSyncs } from '../device-sync/queries/outbox.ts';
import { keepFormerName } from '../residents/queries/former-names.ts';
import { applyAction, type AppliedAction } from './change-resident-fields.ts';
import { listKeys } from './queries/resident-details.ts';
import { findResident, type ResidentRow } from './queries/residents.ts';
import { insertHistory, releaseExpiredEmails, replaceResidentWords, updateResident } from './queries/write-resident.ts';
import { findCommandRefusal, residentStateOf } from './rules/allowed-commands.ts';
import type { ResidentAction } from './rules/command-values.ts';
import { editorOf, listRecordedChanges } from './rules/recorded-changes.ts';

type PreparedAction = { readonly action: ResidentAction; readonly pinHash: string | null };

/** The row must have been read under the locks. Throws 422 `command-not-allowed`, and 409 for what others have. */
export async function changeResident(
  db: WriteDb,
  actor: AuditContext,
  { bank, row }: { readonly bank: GrantedBank; readonly row: ResidentRow },
  prepared: PreparedAction,
): Promise<void> {
  const change = await storeChange(db, bank, row, prepared, actor.now);
  if (change !== undefined) await recordChanges(db, actor, bank, [change]);
}

export type ResidentActions = { readonly residentId: number; readonly actions: readonly ResidentAction[] };

/** The same for one or more actions on each, in their order. Returns the revisions of the residents after them. */
export async function changeResidents(
  db: WriteDb,
  actor: AuditContext,
  bank: GrantedBank,
  residents: readonly ResidentActions[],
): Promise<number[]> {
  const changes: StoredChange[] = [];
  const revisions: number[] = [];
  for (const { residentId, actions } of residents) {
    let revision = 0;
    for (const action of actions) {
      const row = await requireRow(db, bank, residentId);
      const change = await storeChange(db, bank, row, { action, pinHash: null }, actor.now);
      if (change !== undefined) changes.push(change);
      revision = change === undefined ? row.revision : row.revision + 1;
    }
    revisions.push(revision);
  }
  await recordChanges(db, actor, bank, changes);
  return revisions;
}

async function requireRow(db: WriteDb, bank: GrantedBank, residentId: number): Promise<ResidentRow> {
  const row = await findResident(db, bank, residentId);
  if (row === undefined) throw new Error(`there is no resident ${residentId} of bank ${bank.bankId}`);
  return row;
}

type StoredChange = {
  /** As it was. */
  readonly row: ResidentRow;
  readonly command: ResidentAction['command'];
  readonly applied: AppliedAction;
};

/** Undefined if nothing changes. */
async function storeChange(
  db: WriteDb,
  bank: GrantedBank,
  row: ResidentRow,
  prepared: PreparedAction,
  now: number,
): Promise<StoredChange | undefined> {
  const { command } = prepared.action;
  const keys = await listKeys(db, bank, row.resident_id);
  // Whoever asks for a change of a resident sees the resident.
  const conditions = { state: residentStateOf(row), keyCount: keys.length, isVisible: true };
  const refusal = findCommandRefusal(command, conditions);
  if (refusal !== undefined) throw new Problem('command-not-allowed', { reason: refusal });
  const applied = await applyAction(db, now, { bank, row, keys }, prepared);
  if (applied === undefined) return undefined;
  if (command === 'SetEmail' || command === 'Restore')
    await releaseExpiredEmails(db, bank, [applied.columns.email ?? row.email], now);
  const isUpdated = await orDuplicateProblem(db, 'user-exists', () => updateResident(db, bank, row, applied.columns));
  if (!isUpdated) throw new Problem('user-conflict');
  if (command === 'SetName') await keepFormerName(db, bank, { residentId: row.resident_id, name: row.name });
  if (applied.keyNumbers !== undefined)
    await replaceResidentWords(db, bank, { ...row, ...applied.columns }, applied.keyNumbers);
  return { row, command, applied };
}

/** Writes history and audit log, and the records for the devices of the residents' new and old locations. */
async function recordChanges(
  db: WriteDb,
  actor: AuditContext,
  bank: GrantedBank,
  changes: readonly StoredChange[],
): Promise<void> {
  const { now } = actor;
  const formatUserKid = createUserKidFormatter(formatBankKid(bank.tenant, bank.bankId));
  const history = changes.map(({ row, command, applied: { oldValue, newValue } }) => ({
    resident_id: row.resident_id,
    revision: row.revision + 1,
    changed_at: now,
    editor_id: editorOf(actor),
    command,
    old_value: oldValue,
    new_value: newValue,
  }));
  await insertHistory(db, bank, history);
  await queueSyncs(db, bank, changes.flatMap(listSyncs), now);
  const records = changes.map(({ row, command, applied }) => ({
    object: formatUserKid(row.resident_id),
    bankId: bank.bankId,
    ...listRecordedChanges(command, applied),
  }));
  await appendAudits(db, actor, records);
}

const listSyncs = ({ row, applied: { columns, endedKeys } }: StoredChange) =>
  Array.from(listDeviceLocations(row, columns), (locationId) => ({
    subjectKind: 'resident' as const,
    subjectId: row.resident_id,
    locationId,
    unitId: 0,
    ...(endedKeys === undefined ? {} : { detail: { endedKeys } }),
  }));

const listDeviceLocations = (row: ResidentRow, columns: AppliedAction['columns']): ReadonlySet<number> =>
  new Set([row.location_id ?? 0, (columns.location_id === undefined ? row : columns).location_id ?? 0]);
