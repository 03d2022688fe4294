// GetManagers: lists the managers of the tenant.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { openPage } from '../../../http/pagination/open-page.ts';
import type { PageQuery } from '../../../http/schemas/list-schemas.ts';
import type { ListPosition } from '../../../database/statements/list-page.ts';
import { toPage } from '../../../lib/values/paging.ts';
import { requireWholeTenant } from '../../../permissions/coverage.ts';
import { toManager } from '../answers.ts';
import { listManagers, type ManagerOrder } from '../queries/managers.ts';
import { createManagerCriteria, type ManagerSelection } from '../rules/manager-criteria.ts';

type GetManagersInput = ManagerOrder & PageQuery & { readonly state: ManagerSelection; readonly filter?: string };

export async function getManagers(context: ManagerContext, query: GetManagersInput) {
  const tenant = requireWholeTenant(context.scope);
  const criteria = createManagerCriteria(query, tenant.tenant);
  const { sort, direction } = query;
  const request = await openPage<ListPosition>(context, query);
  const rows = await context.read((db) => listManagers(db, tenant, criteria, { sort, direction, ...request }));
  const page = toPage(rows, request, ({ sort_key, manager_id }) => [sort_key, manager_id]);
  return { ...page, items: page.items.map((row) => toManager(row, context)) };
}
