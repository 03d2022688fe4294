// Creates, changes and deletes managers for an import. An import gives no rights that its manager may not give, and leaves
// somebody who can administer the managers.

import { randomUUID } from 'node:crypto';
import type { Db, WriteDb } from '../../../database/db.ts';
import { formatKid, parseKid } from '../../../lib/kid.ts';
import { findMissingRight, noRights } from '../../../permissions/needs.ts';
import { appendAudit } from '../../audit/queries/append-audit.ts';
import type { AuditContext } from '../../audit/rules/audit-context.ts';
import { managersWriteAccess } from '../../manager-administration/access.ts';
import { managerFields, toManagerState, type RightedManager } from '../../manager-administration/fields.ts';
import { changeManagerState, stateOf } from '../../manager-administration/change-manager-state.ts';
import { isSoleTenantWide, listAdministrators } from '../../manager-administration/queries/administrators.ts';
import { listManagersById } from '../../manager-administration/queries/managers.ts';
import { eraseManager } from '../../manager-administration/queries/write-rights.ts';
import { recordNewManagers } from '../../manager-administration/record-managers.ts';
import { findEditorRefusal, type EditedRights } from '../../manager-administration/rules/editor-limits.ts';
import { listPlaces, type ManagerState } from '../../manager-administration/rules/manager-state.ts';
import { readNextManagerId, type InsertManagerInput } from '../../managers/queries/insert-managers.ts';
import { listManagersRights } from '../../managers/queries/manager-rights.ts';
import { noPasswordHash } from '../../passwords/rules/password.ts';
import { findProfile, saveProfile } from '../../profile/queries/profile.ts';
import { listChangedProfileFields, pickFields } from '../../profile/rules/profile-fields.ts';
import { columnsOf } from '../define-kind.ts';
import { answerInTurn } from '../rules/answers.ts';
import { listsPlaces } from '../rules/listed-places.ts';
import { fieldError, listDefaults, writeValues } from '../rules/parse-fields.ts';
import type {
  ApplicableRow,
  AppliedRow,
  FieldTable,
  ImportKind,
  ImportTarget,
  RowError,
  RowValues,
  UndoneRow,
} from '../import-kind.ts';

const columns = columnsOf(managerFields);
export const managerColumns: FieldTable<RightedManager> = { ...columns, grants: listsPlaces(columns.grants) };

/** Who changes the managers, and who can administer them: it changes with each row. */
type Session = Awaited<ReturnType<typeof openSession>>;

async function openSession(db: WriteDb, actor: AuditContext, target: ImportTarget) {
  const administrators: ReadonlySet<number> = new Set(await listAdministrators(db, target.wholeTenant));
  // The operator may do everything.
  const editor = actor.kind === 'operator' ? undefined : await readEditor(db, actor, target);
  return { db, actor, target, editor, administrators };
}

/** The rights that the manager has now, whatever they were when the plan was made. Services are no managers. */
async function readEditor(db: Db, { kind, id }: AuditContext, { wholeTenant }: ImportTarget) {
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
  fieldError(
    'permissions',
    reason,
    reason === 'not-held'
      ? `nobody can give or take ${right} without holding it`
      : 'nobody can change their own rights in an import',
  );

const lastAdministrator = fieldError(
  'permissions',
  'last-administrator',
  'nobody would be left who can administer the managers',
);

export const idOf = ({ tenant }: ImportTarget, kid: string | null): number | undefined =>
  parseKid(kid ?? '', tenant.name, ['manager'])?.managerId;

export const kidOf = ({ tenant }: ImportTarget, managerId: number): string =>
  formatKid({ type: 'manager', tenant: tenant.name, managerId });

const nobody: ManagerState = { ...noRights, isActive: false };

export const applyManagers: ImportKind['apply'] = async (db, actor, target, rows) => {
  const session = await openSession(db, actor, target);
  const created = await createManagers(
    session,
    rows.filter(({ current }) => current === null),
  );
  return answerInTurn(rows, async (row) => {
    const { objectKid, values } = row;
    return created.get(row) ?? { objectKid: objectKid ?? '', ...(await changeManager(session, objectKid, values)) };
  });
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
    const values: RowValues = { ...listDefaults(managerColumns, target), ...row.values };
    const managerId = firstId + inserted.length;
    const after = toManagerState(values, target.tenant.name);
    const errors = await findRightsErrors(session, { managerId, before: nobody, after });
    if (errors.length > 0) created.set(row, { errors });
    else {
      inserted.push(toNewManager(managerId, values, after));
      created.set(row, { objectKid: kidOf(target, managerId), revision: '1.1' });
    }
  }
  await recordNewManagers(db, actor, target.tenant.name, inserted);
  return created;
}

const toNewManager = (managerId: number, values: RowValues, state: ManagerState): InsertManagerInput => ({
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

type Changed = { readonly revision: string } | { readonly errors: readonly RowError[] };

async function changeManager(session: Session, kid: string | null, changed: RowValues): Promise<Changed> {
  const { target } = session;
  const managerId = idOf(target, kid) ?? 0;
  const manager = await readManager(session, managerId);
  const values = { ...writeValues(managerColumns, manager, target), ...changed };
  const errors = await changeState(session, manager, toManagerState(values, target.tenant.name));
  if (errors.length > 0) return { errors };
  await changeProfileOf(session, managerId, changed);
  const { revision, profile_revision } = (await readManager(session, managerId)).row;
  return { revision: `${revision}.${profile_revision}` };
}

/** Gives a manager this state, unless there are errors. */
async function changeState(session: Session, manager: RightedManager, wanted: ManagerState): Promise<RowError[]> {
  const { db, actor, target } = session;
  const edited = { managerId: manager.row.manager_id, before: stateOf(manager), after: wanted };
  const errors = await findRightsErrors(session, edited);
  if (errors.length === 0) await changeManagerState(db, actor, { tenant: target.wholeTenant, ...manager }, { wanted });
  return errors;
}

async function readManager({ db, target }: Session, managerId: number): Promise<RightedManager> {
  const [row] = await listManagersById(db, target.wholeTenant, [managerId]);
  if (row === undefined) throw new Error(`there is no manager ${managerId}`);
  return { row, rights: (await listManagersRights(db, [managerId])).get(managerId) ?? noRights };
}

/** The name, the email address, which nobody has confirmed then, the organisation and the icon. */
async function changeProfileOf({ db, actor, target }: Session, managerId: number, values: RowValues): Promise<void> {
  const profile = await findProfile(db, { id: managerId });
  if (profile === undefined) throw new Error(`there is no manager ${managerId}`);
  const { name, email = profile.email, organisation = profile.organisation, icon = profile.person_icon } = values;
  const wanted = {
    name: name || profile.name,
    ...(email === profile.email ? {} : { email, email_verified: 0 }),
    organisation,
    person_icon: icon,
  };
  const changed = listChangedProfileFields(profile, wanted);
  if (changed.length === 0) return;
  const saved = await saveProfile(db, { id: managerId }, profile, wanted);
  if (saved === undefined) throw new Error(`the profile of manager ${managerId} changed under its lock`);
  const object = kidOf(target, managerId);
  await appendAudit(db, actor, { object, before: pickFields(profile, changed), after: pickFields(saved, changed) });
}

export const undoManagers: ImportKind['undo'] = async (db, actor, target, rows) => {
  const session = await openSession(db, actor, target);
  return answerInTurn(rows, ({ action, objectKid, before }): Promise<UndoneRow> =>
    action === 'create' ? removeManager(session, objectKid) : changeManager(session, objectKid, before),
  );
};

/** Whoever was activated since has been changed since, and is not undone. */
async function removeManager(session: Session, object: string): Promise<UndoneRow> {
  const { db, actor, target } = session;
  const managerId = idOf(target, object) ?? 0;
  const errors = await changeState(session, await readManager(session, managerId), nobody);
  if (errors.length > 0) return { errors };
  await eraseManager(db, target.wholeTenant, managerId, actor.now);
  await appendAudit(db, actor, { object, before: { deleted: false }, after: { deleted: true } });
  return { revision: null };
}
