// GetInstallers: lists the installers of the tenant.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { toPage } from '../../../lib/paging.ts';
import { requireWholeTenant } from '../../../permissions/coverage.ts';
import { toInstallerItem } from '../installer-items.ts';
import { listInstallers, type InstallerPage } from '../queries/installers.ts';
import { createInstallerCriteria, type InstallerQuery } from '../rules/criteria.ts';

export async function getInstallers(context: ManagerContext, query: InstallerQuery & InstallerPage) {
  const { scope, now } = context;
  const tenant = requireWholeTenant(scope);
  const criteria = createInstallerCriteria(query, scope.tenant);
  const rows = await context.read((db) => listInstallers(db, tenant, criteria, query));
  const page = toPage(rows, query);
  return { ...page, items: page.items.map((row) => toInstallerItem(tenant, row, now)) };
}
