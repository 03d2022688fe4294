// GetInstallers: lists the installers of the tenant.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { toPage } from '../../../lib/paging.ts';
import { requireWholeTenant } from '../../../permissions/coverage.ts';
import { toInstaller } from '../answers.ts';
import { listInstallers, type InstallerPageRequest } from '../queries/installers.ts';
import { createInstallerCriteria, type InstallerQuery } from '../rules/installer-criteria.ts';

export async function getInstallers(context: ManagerContext, query: InstallerQuery & InstallerPageRequest) {
  const { scope, now } = context;
  const tenant = requireWholeTenant(scope);
  const criteria = createInstallerCriteria(query, scope.tenant);
  const rows = await context.read((db) => listInstallers(db, tenant, criteria, query));
  const page = toPage(rows, query);
  return { ...page, items: page.items.map((row) => toInstaller(tenant, row, now)) };
}
