// Changes what a manager may do and whether they are active, with their password if there is a new one. It runs in the
// transaction of the caller, who has taken the locks and decided that it is allowed.

import { randomUUID } from 'node:crypto';
import type { WriteDb } from '../../database/db.ts';
import { formatKid } from '../../lib/kid.ts';
import { noRights, type Rights } from '../../permissions/needs.ts';
import type { WholeTenant } from '../../permissions/coverage.ts';
import { appendAudit } from '../audit/queries/append-audit.ts';
import type { AuditContext } from '../audit/rules/audit-context.ts';
import { unrecordedValue, type RecordedValue } from '../audit/rules/recorded-values.ts';
import { endReadAccess } from '../services/change-service.ts';
import type { ManagerRow } from './queries/managers.ts';
import { changeRights } from './queries/write-rights.ts';
import { compareStates, describeState, isUnchanged, type ManagerState } from './rules/manager-state.ts';

type ChangeableManager = {
  readonly tenant: WholeTenant;
  readonly row: Pick<ManagerRow, 'manager_id' | 'active' | 'revision'>;
  readonly rights: Rights;
};

export const stateOf = ({ row, rights }: Pick<ChangeableManager, 'row' | 'rights'>): ManagerState => ({
  isActive: row.active === 1,
  ...rights,
});

type WantedState = { readonly wanted: ManagerState; readonly passwordHash?: string | undefined };

/** False if nothing changes; undefined if the revision is no longer that of the row. */
export async function changeManagerState(
  db: WriteDb,
  actor: AuditContext,
  { tenant, row, rights }: ChangeableManager,
  { wanted, passwordHash }: WantedState,
): Promise<boolean | undefined> {
  const current = stateOf({ row, rights });
  const difference = compareStates(current, wanted);
  if (isUnchanged(difference) && passwordHash === undefined) return false;
  const endsSessions = difference.isActive === false || passwordHash !== undefined;
  const columns = {
    ...(difference.isActive === undefined ? {} : { active: difference.isActive ? 1 : 0 }),
    ...(passwordHash === undefined ? {} : { password_hash: passwordHash }),
    // Earlier sessions stay invalid when the manager is activated again.
    ...(endsSessions ? { credential_stamp: randomUUID() } : {}),
  };
  const { tabs, permissions, places } = difference;
  if (!(await changeRights(db, tenant, row, { columns, tabs, permissions, places }))) return undefined;
  await appendAudit(db, actor, {
    object: formatKid({ type: 'manager', tenant: tenant.tenant, managerId: row.manager_id }),
    ...listChangedFields(
      describeState(current, tenant.tenant),
      describeState(wanted, tenant.tenant),
      passwordHash !== undefined,
    ),
  });
  const remaining = endsSessions ? noRights : wanted;
  await endReadAccess(db, tenant, { managerId: row.manager_id, rights: remaining }, actor);
  return true;
}

/** The fields that differ, with their old and new values. */
function listChangedFields(
  before: Readonly<Record<string, RecordedValue>>,
  after: Readonly<Record<string, RecordedValue>>,
  hasNewPassword: boolean,
) {
  const changed = Object.keys(before).filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
  const select = (values: Readonly<Record<string, RecordedValue>>) =>
    Object.fromEntries(changed.map((field) => [field, values[field] ?? null]));
  const password = hasNewPassword ? { password: unrecordedValue } : {};
  return { before: { ...select(before), ...password }, after: { ...select(after), ...password } };
}
