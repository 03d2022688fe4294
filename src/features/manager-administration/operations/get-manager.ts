// GetManager: describes a manager with all rights.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import type { KidOf } from '../../../lib/kid.ts';
import { requireWholeTenant } from '../../../permissions/coverage.ts';
import { readManagerDetail, requireManager } from '../read-manager-detail.ts';
import type { ManagerDetail } from '../schemas.ts';

export function getManager(context: ManagerContext, managerKid: KidOf<'manager'>): Promise<ManagerDetail> {
  const tenant = requireWholeTenant(context.scope);
  return context.read(async (db) =>
    readManagerDetail(db, context, await requireManager(db, tenant, managerKid.managerId)),
  );
}
