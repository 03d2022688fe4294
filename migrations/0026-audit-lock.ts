// Gives the heads of the audit log a column that writers update to lock a chain before they know whether they append to it.

import type { PortalMigration } from '../src/database/migration.ts';

export const auditLockMigration: PortalMigration = async ({ schema }, { int64 }) => {
  await schema
    .alterTable('audit_heads')
    .addColumn('writes', int64, (column) => column.notNull().defaultTo(0))
    .execute();
};
