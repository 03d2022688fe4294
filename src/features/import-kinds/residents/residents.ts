// Residents of a bank with their tags, in an import. They are created and changed as by CreateBankUser and
// ExecuteBankUserCommand.

import type { WriteDb } from '../../../database/db.ts';
import type { FieldResult } from '../../../lib/values/field-values.ts';
import { createUserKidFormatter, formatBankKid } from '../../../lib/kid.ts';
import type { Language } from '../../../lib/text/language.ts';
import type { AuditContext } from '../../audit/rules/audit-context.ts';
import { outboxLock } from '../../device-sync/queries/outbox.ts';
import { allResidentsReadAccess, residentImportAccess } from '../../resident-administration/access.ts';
import type { ResidentActions } from '../../resident-administration/change-resident.ts';
import { recordNewResidents, type ResidentDraft } from '../../resident-administration/record-residents.ts';
import { allocateResidentIds, laterResidentIdsLock } from '../../resident-administration/queries/resident-ids.ts';
import { parseLocation } from '../../resident-administration/rules/command-values.ts';
import { residentsLock } from '../../residents/queries/residents-version.ts';
import { parsePhone } from '../../residents/rules/phone.ts';
import { defaultValues, parseFields } from '../rules/parse-fields.ts';
import {
  applyMoveOut,
  listResidentActions,
  listTags,
  residentColumns,
  residentParsers,
} from './rules/resident-fields.ts';
import type { ApplicableRow, AppliedRow, ImportKind, ImportTarget, RowValues } from '../import-kind.ts';
import { active, changeEach, inactive, requireResidentId } from './residents-changes.ts';
import { findCurrentResidents } from './residents-current.ts';
import { exportResidents } from './residents-export.ts';
import { undoResidents } from './residents-undo.ts';

export const residentsKind: ImportKind = {
  name: 'residents',
  belongsTo: 'bank',
  access: residentImportAccess,
  readAccess: allResidentsReadAccess,
  columns: residentColumns,
  isDeactivatable: true,
  parseRow: (values, target) => applyMoveOut(parseFields(values, residentParsers, target), target),
  findCurrent: findCurrentResidents,
  locks: ({ bank }) => [outboxLock(bank), residentsLock(bank), laterResidentIdsLock(bank)],
  apply: applyRows,
  undo: undoResidents,
  exportRows: exportResidents,
};

async function applyRows(
  db: WriteDb,
  actor: AuditContext,
  target: ImportTarget,
  rows: readonly ApplicableRow[],
): Promise<AppliedRow[]> {
  const { bank } = target;
  const drafts = await createResidents(db, actor, target, rows);
  const changed = rows.map((row) => listRowActions(target, row, drafts.get(row)));
  const revisions = await changeEach(db, actor, target, changed);
  const toKid = createUserKidFormatter(formatBankKid(bank.tenant, bank.bankId));
  return changed.map(({ residentId }, at) => {
    const revision = revisions.get(residentId) ?? rows[at]?.current?.revision ?? firstRevision;
    return { objectKid: toKid(residentId), revision: String(revision) };
  });
}

/** Of a new resident. */
const firstRevision = 1;

async function createResidents(
  db: WriteDb,
  actor: AuditContext,
  target: ImportTarget,
  rows: readonly ApplicableRow[],
): Promise<ReadonlyMap<ApplicableRow, ResidentDraft>> {
  const created = rows.filter(({ action }) => action === 'create');
  if (created.length === 0) return new Map();
  const firstId = await allocateResidentIds(db, target.bank, created.length);
  const drafts = created.map((row, at) => toDraft(target, firstId + at, row.values));
  await recordNewResidents(db, actor, target.bank, drafts);
  return new Map(created.map((row, at) => [row, drafts[at]!]));
}

function toDraft(target: ImportTarget, residentId: number, values: RowValues): ResidentDraft {
  const { tenant } = target;
  const all = { ...defaultValues(residentParsers, target), ...values };
  return {
    residentId,
    name: all['name'] ?? '',
    email: all['email'] ?? '',
    phone: requireValue(parsePhone(all['phone'] ?? '', tenant.country)),
    language: all['language'] as Language,
    apartment: all['apartment'] ?? '',
    locationId: requireValue(parseLocation(all['location'] ?? '', tenant.name))?.locationId ?? null,
    keys: listTags(all['tags'] ?? '').map((number) => ({ kind: 'Tag', number })),
  };
}

/** Of a text that was parsed before. */
function requireValue<T>(result: FieldResult<T>): T {
  if ('reason' in result) throw new Error(`a value of the plan ${result.reason}`);
  return result.value;
}

function listRowActions(
  target: ImportTarget,
  { action, objectKid, values, changedFields, current }: ApplicableRow,
  draft: ResidentDraft | undefined,
): ResidentActions {
  if (draft !== undefined) {
    const wanted = values['state'] === 'disabled' ? inactive : {};
    return { residentId: draft.residentId, actions: listResidentActions(active, wanted, target.tenant) };
  }
  const changed = Object.fromEntries(Object.entries(values).filter(([field]) => changedFields.includes(field)));
  const wanted = action === 'deactivate' ? inactive : changed;
  return {
    residentId: requireResidentId(target, objectKid),
    actions: listResidentActions(current?.values ?? {}, wanted, target.tenant),
  };
}
