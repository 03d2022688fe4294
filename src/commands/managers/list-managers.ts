// `manager list`: prints a line for each manager, and at a terminal headings and columns.

import type { Config } from '../../config.ts';
import type { ListPosition } from '../../database/statements/list-page.ts';
import { listManagers, type ManagerRow } from '../../features/manager-administration/queries/managers.ts';
import { permissionsOf } from '../../features/manager-administration/rules/row-permissions.ts';
import {
  createManagerCriteria,
  type ManagerSelection,
} from '../../features/manager-administration/rules/manager-criteria.ts';
import { formatKid } from '../../lib/kid.ts';
import { formatUtc } from '../../lib/time/ms2000.ts';
import { requireWholeTenant } from '../../permissions/coverage.ts';
import { roleOf } from '../../permissions/roles.ts';
import { createOperatorScope } from '../../permissions/scope.ts';
import { formatColumns, formatTabbedRows } from '../format-table.ts';
import { selectTenant } from '../select-tenants.ts';
import { withTenant } from '../storage-failures.ts';

type ListManagersOptions = { readonly tenant: string; readonly state: ManagerSelection };

const deadlineMs = 10_000;
const pageSize = 1000;

export async function printManagers(config: Config, options: ListManagersOptions): Promise<void> {
  const { name } = selectTenant(config.tenants, options.tenant);
  const tenant = requireWholeTenant(createOperatorScope(name));
  const criteria = createManagerCriteria({ state: options.state }, name);
  await withTenant(config, name, async (database) => {
    for (let after: ListPosition | undefined, hasMore = true; hasMore;) {
      const page = { sort: 'kid', direction: 'asc', after, offset: 0, limit: pageSize } as const;
      const rows = await database.read({ deadlineMs }, (db) => listManagers(db, tenant, criteria, page));
      const printed = rows.slice(0, pageSize);
      const lines = printed.map((row) => toFields(row, name));
      process.stdout.write(
        process.stdout.isTTY ? formatColumns(headings, lines, after === undefined) : formatTabbedRows(lines),
      );
      const last = printed.at(-1);
      after = last && [last.sort_key, last.manager_id];
      hasMore = rows.length > pageSize;
    }
  });
}

function toFields(row: ManagerRow, tenant: string): string[] {
  return [
    formatKid({ type: 'manager', tenant, managerId: row.manager_id }),
    row.user_name,
    row.active === 1 ? 'active' : 'inactive',
    row.tenant_wide === 1 ? 'tenant-wide' : 'limited',
    roleOf(permissionsOf(row)),
    row.last_seen_at === null ? 'never' : formatUtc(row.last_seen_at),
    row.name,
  ];
}

const headings = ['KID', 'USER NAME', 'STATE', 'GRANTS', 'ROLE', 'LAST SEEN', 'NAME'];
