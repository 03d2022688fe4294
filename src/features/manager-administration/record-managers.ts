// Creates managers, with the audit log. It runs in the transaction of the caller, who has taken the locks.

import type { WriteDb } from '../../database/db.ts';
import { formatBankKid, formatKid, formatLocationKid } from '../../lib/kid.ts';
import { appendAudits } from '../audit/queries/append-audit.ts';
import type { AuditContext } from '../audit/rules/audit-context.ts';
import { withoutValues } from '../audit/rules/recorded-values.ts';
import { personalManagerFields } from './fields.ts';
import { insertManagers, type InsertManagerInput } from '../managers/queries/insert-managers.ts';

/** Throws DuplicateError where a user name is taken. */
export async function recordNewManagers(
  db: WriteDb,
  actor: AuditContext,
  tenant: string,
  managers: readonly InsertManagerInput[],
): Promise<void> {
  if (managers.length === 0) return;
  await insertManagers(db, managers);
  const records = managers.map(({ managerId, tabs, permissions, grants, active }) => ({
    object: formatKid({ type: 'manager', tenant, managerId }),
    before: null,
    after: {
      ...withoutValues([...personalManagerFields, 'password']),
      tabs,
      permissions,
      scopes: grants.map((grant) => formatGrant(tenant, grant)),
      active,
    },
  }));
  await appendAudits(db, actor, records);
}

function formatGrant(tenant: string, { bankId, locationId }: InsertManagerInput['grants'][number]): string {
  if (bankId === 0) return tenant;
  const bankKid = formatBankKid(tenant, bankId);
  return locationId === 0 ? bankKid : formatLocationKid(bankKid, locationId);
}
