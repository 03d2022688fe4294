// Changes a manager for an operator of the service: activity, password, Tabs, permissions and grants.

import { randomUUID } from 'node:crypto';
import type { Db, WriteDb } from '../../../database/db.ts';
import { takeLocks } from '../../../database/locks.ts';
import type { TenantDatabase } from '../../../database/tenant-database.ts';
import { formatKid } from '../../../lib/kid.ts';
import { requireWholeTenant, type WholeTenant } from '../../../permissions/coverage.ts';
import { createOperatorScope } from '../../../permissions/scope.ts';
import { appendAudit, tenantAuditLock } from '../../audit/queries/append-audit.ts';
import { createOperatorAuditContext } from '../../audit/rules/audit-context.ts';
import { unrecordedValue, type RecordedValue } from '../../audit/rules/recorded-values.ts';
import { findManagerCredentials } from '../../managers/queries/manager-credentials.ts';
import { managerRightsLock } from '../../managers/queries/rights-lock.ts';
import { normalizeUserName } from '../../managers/rules/user-name.ts';
import { noRights } from '../../../permissions/needs.ts';
import { endReadAccess } from '../../services/change-service.ts';
import { allServicesLock } from '../../services/queries/write-service.ts';
import { requireManager, type StoredManager } from '../read-manager-detail.ts';
import { hasAdministrator } from '../queries/administrators.ts';
import { changeRights } from '../queries/write-rights.ts';
import { compareStates, describeState, isUnchanged, type ManagerState } from '../rules/manager-state.ts';

export type ChangeManagerInput = {
  readonly tenant: string;
  readonly userName: string;
  /** The name of the command, for the audit log. */
  readonly command: string;
  /** Changes the manager even if nobody who can administer the managers is left. */
  readonly isForced: boolean;
  /** Computes the new state from the present one. */
  readonly change: (current: ManagerState) => ManagerState;
  /** A new password ends all sessions of the manager, and the read access of service keys that the manager made or granted. */
  readonly passwordHash?: string;
  readonly deadlineMs: number;
  /** MS2000. */
  readonly clock: () => number;
};

export type ChangeManagerResult = { readonly managerId: number; readonly isChanged: boolean };

/** Why a manager was not changed. */
export class ManagerRefusedError extends Error {
  override name = 'ManagerRefusedError';
  readonly reason: 'unknown-manager' | 'last-administrator' | 'changed-meanwhile';

  constructor(reason: ManagerRefusedError['reason']) {
    super(reason);
    this.reason = reason;
  }
}

/** Throws ManagerRefusedError. */
export function changeManager(database: TenantDatabase, input: ChangeManagerInput): Promise<ChangeManagerResult> {
  const tenant = requireWholeTenant(createOperatorScope(input.tenant));
  return database.write({ deadlineMs: input.deadlineMs }, async (db) => {
    await takeLocks(db, [tenantAuditLock(), managerRightsLock(), allServicesLock(tenant)]);
    const hadAdministrator = await hasAdministrator(db, tenant);
    const manager = await requireManagerOfName(db, tenant, input.userName);
    const isChanged = await storeChange(db, manager, input);
    if (hadAdministrator && !input.isForced && !(await hasAdministrator(db, tenant)))
      throw new ManagerRefusedError('last-administrator');
    return { managerId: manager.row.manager_id, isChanged };
  });
}

async function requireManagerOfName(db: Db, tenant: WholeTenant, userName: string): Promise<StoredManager> {
  const found = await findManagerCredentials(db, normalizeUserName(userName));
  if (found === undefined || found.deleted_at !== null) throw new ManagerRefusedError('unknown-manager');
  return requireManager(db, tenant, found.manager_id);
}

async function storeChange(
  db: WriteDb,
  { tenant, row, rights }: StoredManager,
  { change, passwordHash, command, clock }: ChangeManagerInput,
): Promise<boolean> {
  const current: ManagerState = { isActive: row.active === 1, ...rights };
  const wanted = change(current);
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
  if (!(await changeRights(db, tenant, row, { columns, tabs, permissions, places })))
    throw new ManagerRefusedError('changed-meanwhile');
  const actor = createOperatorAuditContext(command, clock);
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
