// Residents of a bank with their tags, in an import. They are created and changed as by CreateBankUser and
// ExecuteBankUserCommand.

import type { WriteDb } from '../../../database/db.ts';
import type { FieldResult } from '../../../lib/values/field-values.ts';
import { createUserKidFormatter } from '../../../lib/kid.ts';
import { recordOf } from '../../../lib/values/fields.ts';
import type { AuditContext } from '../../audit/rules/audit-context.ts';
import { outboxLock } from '../../outbox/queries/outbox.ts';
import { allResidentsReadAccess, residentImportAccess } from '../../resident-administration/access.ts';
import type { ResidentActions } from '../../resident-administration/change-resident.ts';
import { recordNewResidents, type ResidentDraft } from '../../resident-administration/record-residents.ts';
import { allocateResidentIds, laterResidentIdsLock } from '../../resident-administration/queries/resident-ids.ts';
import { listResidentsAfter } from '../../resident-administration/queries/residents.ts';
import { residentsLock } from '../../residents/queries/residents-version.ts';
import { residentFieldNames, residentFields, type ResidentValues } from '../../residents/fields.ts';
import type { Phone } from '../../residents/rules/phone.ts';
import { defineKind } from '../define-kind.ts';
import { listDefaults, writeValues } from '../rules/parse-fields.ts';
import {
  applyMoveOut,
  listResidentActions,
  listTags,
  movedOutField,
  residentImportFields,
  type KeptResident,
} from './rules/resident-fields.ts';
import { answerNow } from '../rules/answers.ts';
import { bankKidOf, parseKidOfBank } from '../rules/bank-kids.ts';
import { exportPageSize, exportPages } from '../rules/export-pages.ts';
import { activeState, stateField, type ApplicableRow, type ImportTarget, type RowValues } from '../import-kind.ts';
import { findCurrentResidents, readKeys, requireResidentId } from './residents-current.ts';
import { changeEach, undoResidents } from './residents-undo.ts';

export const residentsKind = defineKind({
  name: 'residents',
  belongsTo: 'bank',
  access: residentImportAccess,
  readAccess: allResidentsReadAccess,
  fields: residentImportFields,
  combine: applyMoveOut,
  isDeactivatable: true,
  absenceField: movedOutField,
  findCurrent: findCurrentResidents,
  locks: ({ bank }) => [outboxLock(bank), residentsLock(bank), laterResidentIdsLock(bank)],
  apply: async (db, actor, target, rows) => {
    const drafts = await createResidents(db, actor, target, rows);
    const actionsOf = answerNow(rows, (row) => listRowActions(target, row, drafts.get(row)));
    const revisions = await changeEach(db, actor, target, rows.map(actionsOf));
    const toKid = createUserKidFormatter(bankKidOf(target));
    return (row) => {
      const { residentId } = actionsOf(row);
      const revision = revisions.get(residentId) ?? row.current?.revision ?? firstRevision;
      return { objectKid: toKid(residentId), revision: String(revision) };
    };
  },
  undo: undoResidents,
  // Deleted residents are left out, and those whose identities have expired.
  exportRows: (db, target) => {
    const { bank, now } = target;
    const toKid = createUserKidFormatter(bankKidOf(target));
    const readPage = async (last?: KeptResident): Promise<readonly KeptResident[]> => {
      const page = { afterId: last?.row.resident_id ?? 0, limit: exportPageSize, now };
      return readKeys(db, bank, await listResidentsAfter(db, bank, page));
    };
    return exportPages(readPage, (resident) => ({
      objectKid: toKid(resident.row.resident_id),
      values: writeValues(residentImportFields, resident, target),
    }));
  },
});

/** The revision of a new resident. */
const firstRevision = 1;

async function createResidents(
  db: WriteDb,
  actor: AuditContext,
  target: ImportTarget,
  rows: readonly ApplicableRow[],
): Promise<ReadonlyMap<ApplicableRow, ResidentDraft>> {
  const created = rows.filter(({ current }) => current === null);
  if (created.length === 0) return new Map();
  const firstId = await allocateResidentIds(db, target.bank, created.length);
  const defaults = listDefaults(residentImportFields, target);
  const drafts = new Map(
    created.map((row, index) => [row, toDraft(target, firstId + index, { ...defaults, ...row.values })]),
  );
  await recordNewResidents(db, actor, target.bank, [...drafts.values()]);
  return drafts;
}

const toDraft = (target: ImportTarget, residentId: number, row: RowValues): ResidentDraft => ({
  residentId,
  values: recordOf(residentFieldNames, (field) =>
    requireValue<string | Phone>(residentFields[field].parse(row[field] ?? '', target.tenant)),
  ) as ResidentValues,
  locationId: parseKidOfBank(target, row['location'], 'location')?.locationId ?? null,
  keys: listTags(row['tags'] ?? '').map((number) => ({ kind: 'Tag', number })),
});

/** Returns the value of a text that was parsed before. */
function requireValue<T>(result: FieldResult<T>): T {
  if ('reason' in result) throw new Error(`a value of the plan ${result.reason}`);
  return result.value;
}

/** A new resident is active, and has all other values. */
function listRowActions(
  target: ImportTarget,
  { objectKid, values, current }: ApplicableRow,
  draft: ResidentDraft | undefined,
): ResidentActions {
  const { [stateField]: state = activeState } = values;
  const [residentId, before, wanted] =
    draft === undefined
      ? [requireResidentId(target, objectKid), current?.values ?? {}, values]
      : [draft.residentId, { [stateField]: activeState }, { [stateField]: state }];
  return { residentId, actions: listResidentActions(before, wanted, target.tenant) };
}
