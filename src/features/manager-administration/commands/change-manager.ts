// Changes a manager for an operator of the service: activity, password, Tabs, permissions and grants.

import type { Db } from '../../../database/db.ts';
import { takeLocks } from '../../../database/locks.ts';
import type { TenantDatabase } from '../../../database/tenant-database.ts';
import { requireWholeTenant, type WholeTenant } from '../../../permissions/coverage.ts';
import { createOperatorScope } from '../../../permissions/scope.ts';
import { tenantAuditLock } from '../../audit/queries/append-audit.ts';
import { createOperatorAuditContext } from '../../audit/rules/audit-context.ts';
import { findManagerCredentials } from '../../managers/queries/manager-credentials.ts';
import { managerRightsLock } from '../../managers/queries/rights-lock.ts';
import { normalizeUserName } from '../../managers/rules/user-name.ts';
import { allServicesLock } from '../../services/queries/write-service.ts';
import { changeManagerState, stateOf } from '../change-manager-state.ts';
import { requireManager, type StoredManager } from '../read-manager-detail.ts';
import { hasAdministrator } from '../queries/administrators.ts';
import type { ManagerState } from '../rules/manager-state.ts';

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
    const { change, passwordHash, command, clock } = input;
    const wanted = change(stateOf(manager));
    const actor = createOperatorAuditContext(command, clock);
    const isChanged = await changeManagerState(db, actor, manager, { wanted, passwordHash });
    if (isChanged === undefined) throw new ManagerRefusedError('changed-meanwhile');
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
