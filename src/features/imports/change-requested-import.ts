// The steps of the writes on an import that exists: its lock, the rights on its kind, and its answer.

import type { WriteDb } from '../../database/db.ts';
import type { ManagerContext, WriteAnswer } from '../../http/context/operation-context.ts';
import type { KidOf } from '../../lib/kid.ts';
import { tenantAuditLock } from '../audit/queries/append-audit.ts';
import { createManagerAuditContext, type AuditContext } from '../audit/rules/audit-context.ts';
import { requireBank } from '../places/require-place.ts';
import { needsOfImport } from './access.ts';
import { toImport } from './answers.ts';
import { readImport, importLock } from './queries/imports.ts';
import { requireImport, type FoundImport } from './require-import.ts';
import type { Import } from './schemas.ts';

type Change = (db: WriteDb, actor: AuditContext, found: FoundImport) => Promise<void>;

/** Returns the import after the change. */
export function changeRequestedImport(
  context: ManagerContext,
  { importId }: KidOf<'import'>,
  change: Change,
): Promise<WriteAnswer<Import>> {
  const { tenant } = context;
  return context.write({
    grant: (scope) => scope,
    // Which chain of the audit log it is, is known when the import is read.
    locks: () => [tenantAuditLock(), importLock(importId)],
    requireObject: async (db, scope) => {
      const found = await requireImport(db, scope, context, importId);
      if (found.kind.belongsTo === 'bank') await requireBank(db, found.target.bank);
      return found;
    },
    needsOf: needsOfImport,
    work: async (db, found) => {
      await change(db, createManagerAuditContext(context), found);
      return toImport(tenant.name, await readImport(db, importId));
    },
  });
}
