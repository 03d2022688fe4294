// The steps of the writes on an import that exists: its lock, the rights on its kind, and its answer.

import type { WriteDb } from '../../database/db.ts';
import type { ManagerContext, WriteAnswer } from '../../http/context/operation-context.ts';
import type { KidOf } from '../../lib/kid.ts';
import { createManagerAuditContext, type AuditContext } from '../audit/rules/audit-context.ts';
import { requireBank } from '../places/require-place.ts';
import { needsOfImport } from './access.ts';
import { toImport } from './answers.ts';
import { findImport, importLock, readImport } from './queries/imports.ts';
import { ownerLock } from './record-import.ts';
import { requireImport, type FoundImport } from './require-import.ts';
import type { Import } from './schemas.ts';

type Change = (db: WriteDb, actor: AuditContext, found: FoundImport) => Promise<void>;

/** Returns the import after the change. */
export async function changeRequestedImport(
  context: ManagerContext,
  { importId }: KidOf<'import'>,
  change: Change,
): Promise<WriteAnswer<Import>> {
  const { tenant } = context;
  // Whose it is never changes.
  const bankId = (await context.read((db) => findImport(db, importId)))?.bank_id ?? 0;
  return context.write({
    grant: (scope) => scope,
    locks: () => [importLock(importId), ownerLock(bankId === 0 ? {} : { bankId })],
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
