// Records in the audit log what happens to an import: in the chain of its bank, or of the tenant.

import type { WriteDb } from '../../database/db.ts';
import { formatBankKid, formatImportKid } from '../../lib/kid.ts';
import { appendAudit } from '../audit/queries/append-audit.ts';
import type { AuditContext } from '../audit/rules/audit-context.ts';
import type { RecordedValues } from '../audit/rules/recorded-values.ts';
import type { ImportKind, ImportTarget } from '../import-kinds/import-kind.ts';

type RecordedImport = { readonly kind: ImportKind; readonly target: ImportTarget; readonly importId: number };

/** The transaction has taken the lock of the tenant's chain, if the kind belongs to no bank. */
export function recordImport(
  db: WriteDb,
  actor: AuditContext,
  { kind, target, importId }: RecordedImport,
  after: RecordedValues,
): Promise<void> {
  const object = formatImportKid(target.tenant.name, importId);
  if (kind.belongsTo === 'tenant')
    return appendAudit(db, actor, { object, before: null, after: { kind: kind.name, ...after } });
  const { bankId } = target.bank;
  const bankKid = formatBankKid(target.tenant.name, bankId);
  return appendAudit(db, actor, { object, bankId, before: null, after: { kind: kind.name, bankKid, ...after } });
}
