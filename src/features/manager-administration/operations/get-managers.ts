// GetManagers: lists the managers of the tenant.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { toPage } from '../../../lib/paging.ts';
import { requireWholeTenant } from '../../../permissions/coverage.ts';
import { toManager } from '../answers.ts';
import { listManagers, type ManagerPageRequest } from '../queries/managers.ts';
import { createManagerCriteria, type ManagerSelection } from '../rules/manager-criteria.ts';

type GetManagersInput = ManagerPageRequest & { readonly state: ManagerSelection; readonly filter?: string };

export async function getManagers(context: ManagerContext, query: GetManagersInput) {
  const tenant = requireWholeTenant(context.scope);
  const criteria = createManagerCriteria(query, tenant.tenant);
  const page = toPage(await context.read((db) => listManagers(db, tenant, criteria, query)), query);
  return { ...page, items: page.items.map((row) => toManager(row, context)) };
}
