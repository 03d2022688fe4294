// Takes back what an import did to residents.

import type { WriteDb } from '../../../database/db.ts';
import { pairItems } from '../../../lib/values/pair-items.ts';
import type { AuditContext } from '../../audit/rules/audit-context.ts';
import { changeResidents, type ResidentActions } from '../../resident-administration/change-resident.ts';
import { findUsedResidents } from './queries/resident-conflicts.ts';
import { parseRowFields } from '../rules/parse-fields.ts';
import { listResidentActions, residentImportFields } from './rules/resident-fields.ts';
import { answerEach, answerNow, answersOf } from '../rules/answers.ts';
import type { ImportKind, ImportTarget, RowError, UndoableRow, UndoneRow } from '../import-kind.ts';
import { findCurrentResidents, requireResidentId } from './residents-current.ts';

const inUseError: RowError = {
  field: '',
  code: 'in-use',
  text: 'The resident has postings or bookings by now, and is left as it is.',
};

export const undoResidents: ImportKind['undo'] = async (db, actor, target, rows) => {
  const created = rows.filter(({ action }) => action === 'create');
  const createdIds = created.map(({ objectKid }) => requireResidentId(target, objectKid));
  const used = await findUsedResidents(db, target.bank, createdIds);
  const keyed = answerEach(rows, ({ before, ...row }) => ({ ...row, key: '', values: before }));
  const find = await findCurrentResidents(db, target, [...keyed.values()]);
  const undone = new Map<UndoableRow, UndoneRow>();
  let waiting: UndoableRow[] = [];
  const undoWaiting = async (): Promise<void> => {
    const actionsOf = answerNow(waiting, (row) => listUndoActions(target, row));
    const revisions = await changeEach(db, actor, target, waiting.map(actionsOf));
    for (const row of waiting) {
      const revision = revisions.get(actionsOf(row).residentId) ?? row.current.revision;
      undone.set(row, { revision: row.action === 'create' ? null : String(revision) });
    }
    waiting = [];
  };
  for (const [row, wanted] of keyed) {
    let found = find(wanted);
    if (found.errors.length > 0) {
      // What somebody else has may have been taken only by a row that is undone before this one.
      await undoWaiting();
      found = (await findCurrentResidents(db, target, [wanted]))(wanted);
    }
    // A value from before today's rules.
    const errors = [...found.errors, ...parseRowFields(residentImportFields, row.before, target).errors];
    if (row.action === 'create' && used.has(requireResidentId(target, row.objectKid))) errors.push(inUseError);
    if (errors.length > 0) undone.set(row, { errors });
    else waiting.push(row);
  }
  await undoWaiting();
  return answersOf(undone);
};

function listUndoActions(target: ImportTarget, { objectKid, action, before, current }: UndoableRow): ResidentActions {
  const residentId = requireResidentId(target, objectKid);
  if (action === 'create') return { residentId, actions: [{ command: 'Delete' }] };
  return { residentId, actions: listResidentActions(current.values, before, target.tenant) };
}

/** Resident -> new revision, of those with actions. */
export async function changeEach(
  db: WriteDb,
  actor: AuditContext,
  { bank }: ImportTarget,
  residents: readonly ResidentActions[],
): Promise<ReadonlyMap<number, number>> {
  const changed = residents.filter(({ actions }) => actions.length > 0);
  const revisions = await changeResidents(db, actor, bank, changed);
  return new Map(pairItems(changed, revisions).map(([{ residentId }, revision]) => [residentId, revision]));
}
