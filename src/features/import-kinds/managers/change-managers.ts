// Creates, changes and deletes managers for an import. An import gives no rights that its manager may not give, and leaves
// somebody who can administer the managers.

import { randomUUID } from 'node:crypto';
import type { Db, WriteDb } from '../../../database/db.ts';
import { formatKid, parseKid } from '../../../lib/kid.ts';
import { findMissingRight, noRights, type Rights } from '../../../permissions/needs.ts';
import { appendAudit } from '../../audit/queries/append-audit.ts';
import type { AuditContext } from '../../audit/rules/audit-context.ts';
import { managersWriteAccess } from '../../manager-administration/access.ts';
import { changeManagerState, stateOf } from '../../manager-administration/change-manager-state.ts';
import { isSoleTenantWide, listAdministrators } from '../../manager-administration/queries/administrators.ts';
import { listManagersById, type AdministeredManager } from '../../manager-administration/queries/managers.ts';
import { eraseManager } from '../../manager-administration/queries/write-rights.ts';
import { recordNewManagers } from '../../manager-administration/record-managers.ts';
import {
  findEditorRefusal,
  type EditedRights,
  type RightsEditor,
} from '../../manager-administration/rules/editor-limits.ts';
import { listPlaces, type ManagerState } from '../../manager-administration/rules/manager-state.ts';
import { readNextManagerId, type InsertManagerInput } from '../../managers/queries/insert-managers.ts';
import { listManagersRights } from '../../managers/queries/manager-rights.ts';
import { noPasswordHash } from '../../passwords/rules/password.ts';
import { findProfile, saveProfile } from '../../profile/queries/profile.ts';
import { listChangedProfileFields, pickFields } from '../../profile/rules/profile-fields.ts';
import { managerFields, toManagerState } from './rules/manager-rows.ts';
import { listDefaults, writeValues } from '../rules/parse-fields.ts';
import { answersOf } from '../rules/answers.ts';
import {
  disabledState,
  stateField,
  type ApplicableRow,
  type AppliedRow,
  type ImportKind,
  type ImportTarget,
  type RowError,
  type RowValues,
  type UndoableRow,
  type UndoneRow,
} from '../import-kind.ts';

/** Who changes the managers, and who can administer them: it changes with each row. */
type Session = {
  readonly db: WriteDb;
  readonly actor: AuditContext;
  readonly target: ImportTarget;
  /** Undefined for the operator, who may do everything. */
  readonly editor: Omit<RightsEditor, 'isSole'> | undefined;
  administrators: ReadonlySet<number>;
};

async function openSession(db: WriteDb, actor: AuditContext, target: ImportTarget): Promise<Session> {
  const { wholeTenant } = target;
  return {
    db,
    actor,
    target,
    editor: actor.kind === 'operator' ? undefined : await readEditor(db, actor, target),
    administrators: new Set(await listAdministrators(db, wholeTenant)),
  };
}

/** The rights that the manager has now, whatever they were when the plan was made. Services are no managers. */
async function readEditor(
  db: Db,
  { kind, id }: AuditContext,
  { wholeTenant }: ImportTarget,
): Promise<Session['editor']> {
  const managerId = kind === 'manager' ? (id ?? 0) : 0;
  const [row] = await listManagersById(db, wholeTenant, [managerId]);
  const rights = await listManagersRights(db, [managerId]);
  return { managerId, rights: row?.active === 1 ? (rights.get(managerId) ?? noRights) : noRights };
}

const isAdministrator = (state: ManagerState): boolean =>
  state.isActive && findMissingRight(managersWriteAccess, state) === undefined;

/** Why the rights cannot be changed so. Counts who can administer the managers if they can. */
async function findRightsErrors(session: Session, edited: EditedRights): Promise<RowError[]> {
  const { db, editor, target, administrators } = session;
  if (editor !== undefined) {
    const isSole = await isSoleTenantWide(db, target.wholeTenant, editor.managerId);
    const refused = findEditorRefusal({ ...editor, isSole }, edited);
    if (refused !== undefined) return [toRefusalError(refused)];
  }
  const remaining = new Set(administrators);
  if (isAdministrator(edited.after)) remaining.add(edited.managerId);
  else remaining.delete(edited.managerId);
  if (remaining.size === 0 && administrators.size > 0) return [lastAdministrator];
  session.administrators = remaining;
  return [];
}

const toRefusalError = ({ reason, right = '' }: NonNullable<ReturnType<typeof findEditorRefusal>>): RowError =>
  reason === 'not-held'
    ? { field: 'permissions', code: reason, text: `permissions: nobody can give or take ${right} without holding it.` }
    : { field: 'permissions', code: reason, text: 'permissions: nobody can change their own rights in an import.' };

const lastAdministrator: RowError = {
  field: 'permissions',
  code: 'last-administrator',
  text: 'permissions: nobody would be left who can administer the managers.',
};

const idOf = ({ tenant }: ImportTarget, kid: string): number => parseKid(kid, tenant.name, ['manager'])?.managerId ?? 0;

export const applyManagers: ImportKind['apply'] = async (db, actor, target, rows) => {
  const session = await openSession(db, actor, target);
  const created = rows.filter(({ action }) => action === 'create');
  const applied = new Map(await createManagers(session, created));
  for (const row of rows) {
    const { action, objectKid, values } = row;
    if (action === 'create') continue;
    const kid = objectKid ?? '';
    const wanted = action === 'deactivate' ? { [stateField]: disabledState } : values;
    applied.set(row, { objectKid: kid, ...(await changeManager(session, kid, wanted)) });
  }
  return answersOf(applied);
};

/** All of them are inactive. */
async function createManagers(
  session: Session,
  rows: readonly ApplicableRow[],
): Promise<ReadonlyMap<ApplicableRow, AppliedRow>> {
  const { db, actor, target } = session;
  const created = new Map<ApplicableRow, AppliedRow>();
  const firstId = await readNextManagerId(db);
  const inserted: InsertManagerInput[] = [];
  for (const row of rows) {
    const values: RowValues = { ...listDefaults(managerFields, target), ...row.values };
    const managerId = firstId + inserted.length;
    const state = toManagerState(values, target.tenant.name);
    const errors = await findRightsErrors(session, {
      managerId,
      before: { ...noRights, isActive: false },
      after: state,
    });
    if (errors.length > 0) created.set(row, { errors });
    else {
      inserted.push({
        managerId,
        userName: values['userName'] ?? '',
        name: values['name'] || (values['userName'] ?? ''),
        email: values['email'] ?? '',
        organisation: values['organisation'] ?? '',
        personIcon: values['icon'] ?? '',
        passwordHash: noPasswordHash,
        credentialStamp: randomUUID(),
        active: false,
        retentionDays: null,
        tabs: [...state.tabs],
        permissions: [...state.permissions],
        grants: listPlaces(state.grants),
      });
      const objectKid = formatKid({ type: 'manager', tenant: target.tenant.name, managerId });
      created.set(row, { objectKid, revision: '1.1' });
    }
  }
  await recordNewManagers(db, actor, target.tenant.name, inserted);
  return created;
}

type Changed = { readonly revision: string } | { readonly errors: readonly RowError[] };

async function changeManager(session: Session, kid: string, changed: RowValues): Promise<Changed> {
  const { db, actor, target } = session;
  const { wholeTenant, tenant } = target;
  const managerId = idOf(target, kid);
  const { row, rights } = await readManager(session, managerId);
  const before = stateOf({ row, rights });
  const wanted = toManagerState({ ...writeValues(managerFields, { row, rights }, target), ...changed }, tenant.name);
  const errors = await findRightsErrors(session, { managerId, before, after: wanted });
  if (errors.length > 0) return { errors };
  await changeManagerState(db, actor, { tenant: wholeTenant, row, rights }, { wanted });
  await changeProfileOf(session, managerId, changed);
  const { revision, profile_revision } = (await readManager(session, managerId)).row;
  return { revision: `${revision}.${profile_revision}` };
}

async function readManager(
  { db, target }: Session,
  managerId: number,
): Promise<{ readonly row: AdministeredManager; readonly rights: Rights }> {
  const [row] = await listManagersById(db, target.wholeTenant, [managerId]);
  if (row === undefined) throw new Error(`there is no manager ${managerId}`);
  return { row, rights: (await listManagersRights(db, [managerId])).get(managerId) ?? noRights };
}

/** The name, the email address, which nobody has confirmed then, the organisation and the icon. */
async function changeProfileOf({ db, actor, target }: Session, managerId: number, values: RowValues): Promise<void> {
  const profile = await findProfile(db, { id: managerId });
  if (profile === undefined) throw new Error(`there is no manager ${managerId}`);
  const { name, email, organisation, icon } = values;
  const wanted = {
    ...(name === undefined ? {} : { name: name === '' ? profile.name : name }),
    ...(email === undefined || email === profile.email ? {} : { email, email_verified: 0 }),
    ...(organisation === undefined ? {} : { organisation }),
    ...(icon === undefined ? {} : { person_icon: icon }),
  };
  const changed = listChangedProfileFields(profile, wanted);
  if (changed.length === 0) return;
  const saved = await saveProfile(db, { id: managerId }, profile, wanted);
  if (saved === undefined) throw new Error(`the profile of manager ${managerId} changed under its lock`);
  const object = formatKid({ type: 'manager', tenant: target.tenant.name, managerId });
  await appendAudit(db, actor, { object, before: pickFields(profile, changed), after: pickFields(saved, changed) });
}

export const undoManagers: ImportKind['undo'] = async (db, actor, target, rows) => {
  const session = await openSession(db, actor, target);
  const undone = new Map<UndoableRow, UndoneRow>();
  for (const row of rows) {
    const { action, objectKid, before } = row;
    undone.set(
      row,
      await (action === 'create' ? removeManager(session, objectKid) : changeManager(session, objectKid, before)),
    );
  }
  return answersOf(undone);
};

/** Whoever was activated since has been changed since, and is not undone. */
async function removeManager(session: Session, kid: string): Promise<UndoneRow> {
  const { db, actor, target } = session;
  const managerId = idOf(target, kid);
  const { row, rights } = await readManager(session, managerId);
  const none = { ...noRights, isActive: false };
  const errors = await findRightsErrors(session, { managerId, before: stateOf({ row, rights }), after: none });
  if (errors.length > 0) return { errors };
  await changeManagerState(db, actor, { tenant: target.wholeTenant, row, rights }, { wanted: none });
  await eraseManager(db, target.wholeTenant, managerId, actor.now);
  await appendAudit(db, actor, { object: kid, before: { deleted: false }, after: { deleted: true } });
  return { revision: null };
}
