// Changes residents by commands, with the history, the audit log and the records for the devices. It runs in the
// transaction of the caller, who has taken the locks.

import { recordResidentChanges } from './record-changes.ts';
import { orDuplicateProblem } from '../../database/duplicate-problem.ts';
import type { WriteDb } from '../../database/db.ts';
import { Problem } from '../../lib/problem.ts';
import type { GrantedBank } from '../../permissions/coverage.ts';
import type { AuditContext } from '../audit/rules/audit-context.ts';
import { keepFormerNames } from '../residents/queries/former-names.ts';
import { applyAction, type AppliedAction } from './change-resident-fields.ts';
import { listKeys, listKeysOfResidents } from './queries/resident-details.ts';
import { listResidentsById, type ResidentRow } from './queries/residents.ts';
import {
  holdKeys,
  releaseExpiredEmails,
  replaceResidentWords,
  updateResident,
  type ResidentColumns,
  type ResidentWithKeys,
} from './queries/write-resident.ts';
import { findCommandRefusal, residentStateOf } from './rules/allowed-commands.ts';
import type { ResidentAction } from './rules/command-values.ts';
import { listRecordedChanges } from './rules/recorded-changes.ts';

type PreparedAction = { readonly action: ResidentAction; readonly pinHash: string | null };

/** The row must have been read under the locks. Throws 422 `command-not-allowed`, and 409 for what others have. */
export async function changeResident(
  db: WriteDb,
  actor: AuditContext,
  { bank, row }: { readonly bank: GrantedBank; readonly row: ResidentRow },
  prepared: PreparedAction,
): Promise<void> {
  const keys = await listKeys(db, bank, row.resident_id);
  await storeChanges(db, actor, bank, [{ row, keys, actions: [prepared] }]);
}

export type ResidentActions = { readonly residentId: number; readonly actions: readonly ResidentAction[] };

/** Changes many residents, each once, by actions in their order. Returns their revisions afterwards. */
export async function changeResidents(
  db: WriteDb,
  actor: AuditContext,
  bank: GrantedBank,
  residents: readonly ResidentActions[],
): Promise<number[]> {
  const ids = residents.map(({ residentId }) => residentId);
  const [rows, keys] = await Promise.all([listResidentsById(db, bank, ids), listKeysOfResidents(db, bank, ids)]);
  const rowsById = new Map(rows.map((row) => [row.resident_id, row]));
  const keysById = Map.groupBy(keys, ({ resident_id }) => resident_id);
  const prepared = residents.map(({ residentId, actions }): PreparedChange => {
    const row = rowsById.get(residentId);
    if (row === undefined) throw new Error(`there is no resident ${residentId} of bank ${bank.bankId}`);
    return {
      row,
      keys: keysById.get(residentId) ?? [],
      actions: actions.map((action) => ({ action, pinHash: null })),
    };
  });
  return storeChanges(db, actor, bank, prepared);
}

type PreparedChange = ResidentWithKeys & { readonly actions: readonly PreparedAction[] };

async function storeChanges(
  db: WriteDb,
  actor: AuditContext,
  bank: GrantedBank,
  residents: readonly PreparedChange[],
): Promise<number[]> {
  const changed: ChangedResident[] = [];
  for (const resident of residents) changed.push(await applyActions(db, bank, resident, actor.now));
  await storeResidents(db, bank, changed, actor.now);
  const changes = changed.flatMap((each) => each.changes);
  await recordResidentChanges(db, actor, bank, changes.map(toRecordedChange));
  return changed.map(({ after }) => after.row.revision);
}

type Change = {
  /** The resident before it. */
  readonly row: ResidentRow;
  readonly command: ResidentAction['command'];
  readonly applied: AppliedAction;
};

type ChangedResident = {
  readonly row: ResidentRow;
  /** None if the resident is already as wanted. */
  readonly changes: readonly Change[];
  readonly after: ResidentWithKeys;
};

/** Writes added and removed keys, and codes; everything else is stored afterwards. */
async function applyActions(
  db: WriteDb,
  bank: GrantedBank,
  { row, keys, actions }: PreparedChange,
  now: number,
): Promise<ChangedResident> {
  const changes: Change[] = [];
  let after: ResidentWithKeys = { row, keys };
  for (const prepared of actions) {
    const { command } = prepared.action;
    // Whoever asks for a change of a resident sees the resident.
    const conditions = { state: residentStateOf(after.row), keyCount: after.keys.length, isVisible: true };
    const refusal = findCommandRefusal(command, conditions);
    if (refusal !== undefined) throw new Problem('command-not-allowed', { reason: refusal });
    const applied = await applyAction(db, now, { bank, ...after }, prepared);
    if (applied === undefined) continue;
    changes.push({ row: after.row, command, applied });
    const changedRow = { ...after.row, ...applied.columns, revision: after.row.revision + 1 };
    after = { row: changedRow, keys: applied.keys ?? after.keys };
  }
  return { row, changes, after };
}

async function storeResidents(
  db: WriteDb,
  bank: GrantedBank,
  residents: readonly ChangedResident[],
  now: number,
): Promise<void> {
  const changes = residents.flatMap((resident) => resident.changes);
  const emails = changes
    .filter(({ command }) => command === 'SetEmail' || command === 'Restore')
    .map(({ row, applied }) => applied.columns.email ?? row.email);
  await releaseExpiredEmails(db, bank, emails, now);
  const released = residents.filter(
    ({ changes: own, after }) => after.keys.length > 0 && own.some(({ applied }) => applied.releasesKeys === true),
  );
  await holdKeys(
    db,
    bank,
    released.map(({ row }) => row.resident_id),
    { held: false },
  );
  for (const { row, changes: own, after } of residents) {
    if (own.length === 0) continue;
    const columns: ResidentColumns = Object.assign({}, ...own.map(({ applied }) => applied.columns));
    const isUpdated = await orDuplicateProblem(db, 'user-exists', () =>
      updateResident(db, bank, row, { ...columns, revision: after.row.revision }),
    );
    if (!isUpdated) throw new Problem('user-conflict');
  }
  const renamed = changes.filter(({ command }) => command === 'SetName');
  await keepFormerNames(
    db,
    bank,
    renamed.map(({ row }) => ({ residentId: row.resident_id, name: row.name })),
  );
  const reworded = residents.filter(({ changes: own }) => own.some(({ applied }) => applied.keys !== undefined));
  await replaceResidentWords(
    db,
    bank,
    reworded.map(({ after }) => after),
  );
}

const toRecordedChange = ({ row, command, applied }: Change) => ({
  residentId: row.resident_id,
  revision: row.revision + 1,
  command,
  oldValue: applied.oldValue,
  newValue: applied.newValue,
  locationIds: listDeviceLocations(row, applied.columns),
  endedKeys: applied.endedKeys,
  recorded: listRecordedChanges(command, applied),
});

/** The new and the old location. */
const listDeviceLocations = (row: ResidentRow, columns: AppliedAction['columns']): readonly number[] => [
  ...new Set([row.location_id ?? 0, (columns.location_id === undefined ? row : columns).location_id ?? 0]),
];
