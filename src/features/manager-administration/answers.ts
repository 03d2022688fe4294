// Formats rows of managers as the items of the list.

import { formatKid } from '../../lib/kid.ts';
import { formatUtc } from '../../lib/time/ms2000.ts';
import type { ManagerContext } from '../../http/context/operation-context.ts';
import { roleOf } from '../../permissions/roles.ts';
import { dayOfMonthAt } from '../icons/rules/day-of-month.ts';
import { formatPlainIconKid } from '../icons/rules/current-icon-kid.ts';
import type { ManagerRow } from './queries/managers.ts';
import { permissionsOf } from './rules/row-permissions.ts';
import type { Manager } from './schemas.ts';

export function toManager(row: ManagerRow, { tenant, now }: Pick<ManagerContext, 'tenant' | 'now'>): Manager {
  return {
    kid: formatKid({ type: 'manager', tenant: tenant.name, managerId: row.manager_id }),
    name: row.name,
    email: row.email,
    organisation: row.organisation,
    iconKid: formatPlainIconKid(row.person_icon, dayOfMonthAt(now)),
    active: row.active === 1,
    tenantWide: row.tenant_wide === 1,
    role: roleOf(permissionsOf(row)),
    lastSeenUtc: row.last_seen_at === null ? null : formatUtc(row.last_seen_at),
  };
}
