// Takes back what an import did to residents.

import type { WriteDb } from '../../../database/db.ts';
import type { AuditContext } from '../../audit/rules/audit-context.ts';
import type { ResidentActions } from '../../resident-administration/change-resident.ts';
import { findUsedResidents } from './queries/resident-conflicts.ts';
import { parseFields } from '../rules/parse-fields.ts';
import { listResidentActions, residentParsers } from './rules/resident-fields.ts';
import type { ImportTarget, RowError, UndoableRow, UndoneRow } from '../import-kind.ts';
import { active, changeEach, requireResidentId } from './residents-changes.ts';
import { findCurrentResidents } from './residents-current.ts';

const inUseError: RowError = {
  field: '',
  code: 'in-use',
  text: 'The resident has postings or bookings by now, and is left as it is.',
};

export async function undoResidents(
  db: WriteDb,
  actor: AuditContext,
  target: ImportTarget,
  rows: readonly UndoableRow[],
): Promise<UndoneRow[]> {
  const created = rows.filter(({ action }) => action === 'create');
  const createdIds = created.map(({ objectKid }) => requireResidentId(target, objectKid));
  const used = await findUsedResidents(db, target.bank, createdIds);
  const found = await findCurrentResidents(db, target, rows.map(toKeyedRow));
  const undone = new Map<UndoableRow, UndoneRow>();
  let waiting: UndoableRow[] = [];
  const undoWaiting = async (): Promise<void> => {
    const changes = waiting.map((row) => listUndoActions(target, row));
    const revisions = await changeEach(db, actor, target, changes);
    for (const [at, row] of waiting.entries()) {
      const revision = revisions.get(changes[at]!.residentId) ?? row.current.revision;
      undone.set(row, { revision: row.action === 'create' ? null : String(revision) });
    }
    waiting = [];
  };
  for (const [at, row] of rows.entries()) {
    const errors = [...found[at]!.errors];
    if (errors.length > 0) {
      // What somebody else has may have been taken only by a row that is undone before this one.
      await undoWaiting();
      const [again] = await findCurrentResidents(db, target, [toKeyedRow(row)]);
      errors.splice(0, errors.length, ...again!.errors);
    }
    // A value from before today's rules.
    errors.push(...parseFields(row.before, residentParsers, target).errors);
    if (row.action === 'create' && used.has(requireResidentId(target, row.objectKid))) errors.push(inUseError);
    if (errors.length > 0) undone.set(row, { errors });
    else waiting.push(row);
  }
  await undoWaiting();
  return rows.map((row) => undone.get(row)!);
}

const toKeyedRow = ({ position, objectKid, action, before }: UndoableRow) => ({
  position,
  key: '',
  objectKid,
  values: action === 'update' ? before : {},
});

function listUndoActions(target: ImportTarget, { objectKid, action, before, current }: UndoableRow): ResidentActions {
  const residentId = requireResidentId(target, objectKid);
  if (action === 'create') return { residentId, actions: [{ command: 'Delete' }] };
  const wanted = action === 'deactivate' ? active : before;
  return { residentId, actions: listResidentActions(current.values, wanted, target.tenant) };
}
