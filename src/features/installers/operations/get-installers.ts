// GetInstallers: lists the installers of the tenant.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { openPage } from '../../../http/pagination/open-page.ts';
import type { PageQuery } from '../../../http/schemas/list-schemas.ts';
import type { ListPosition } from '../../../database/statements/list-page.ts';
import { toPage } from '../../../lib/values/paging.ts';
import { requireWholeTenant } from '../../../permissions/coverage.ts';
import { toInstaller } from '../answers.ts';
import { listInstallers, type InstallerOrder } from '../queries/installers.ts';
import { createInstallerCriteria, type InstallerQuery } from '../rules/installer-criteria.ts';

export async function getInstallers(context: ManagerContext, query: InstallerQuery & InstallerOrder & PageQuery) {
  const { scope, now } = context;
  const tenant = requireWholeTenant(scope);
  const criteria = createInstallerCriteria(query, scope.tenant);
  const { sort, direction } = query;
  const request = await openPage<ListPosition>(context, query);
  const rows = await context.read((db) => listInstallers(db, tenant, criteria, { sort, direction, ...request }));
  const page = toPage(rows, request, ({ sort_key, installer_id }) => [sort_key, installer_id]);
  return { ...page, items: page.items.map((row) => toInstaller(tenant, row, now)) };
}
