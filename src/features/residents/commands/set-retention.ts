// Reads and sets for how many days a tenant shows identities. A manager has no operation for it: it is a promise to the
// residents, and what has run out is erased for good.

import { replaceRows } from '../../../database/statements/insert-rows.ts';
import { takeLocks } from '../../../database/locks.ts';
import type { TenantDatabase } from '../../../database/tenant-database.ts';
import { appendAudit, tenantAuditLock } from '../../audit/queries/append-audit.ts';
import { createOperatorAuditContext } from '../../audit/rules/audit-context.ts';
import {
  readRetentionDays,
  retentionSettingName,
  surveillanceRetentionSettingName,
} from '../queries/retention-setting.ts';

/** In days; 0 shows nothing. */
type Retention = { readonly accounting: number; readonly surveillance: number };

type RetentionChange = {
  readonly database: TenantDatabase;
  readonly tenant: string;
  /** What is not given stays as it is. */
  readonly changes: Partial<Retention>;
  /** MS2000. */
  readonly clock: () => number;
  readonly deadlineMs: number;
};

/** Returns the retention afterwards. A change that changes nothing is not recorded. */
export const setRetention = ({ database, tenant, changes, clock, deadlineMs }: RetentionChange): Promise<Retention> =>
  database.write({ deadlineMs }, async (db) => {
    await takeLocks(db, [tenantAuditLock()]);
    const before = await readRetentionDays(db);
    const after = { ...before, ...changes };
    if (before.accounting === after.accounting && before.surveillance === after.surveillance) return before;
    await replaceRows(db, 'tenant_settings', [
      { name: retentionSettingName, value: String(after.accounting) },
      { name: surveillanceRetentionSettingName, value: String(after.surveillance) },
    ]);
    await appendAudit(db, createOperatorAuditContext('retention', clock), { object: tenant, before, after });
    return after;
  });
