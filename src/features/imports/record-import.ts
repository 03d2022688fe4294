// Records in the audit log what happens to an import: in the chain of its bank, or of the tenant.

import type { WriteDb } from '../../database/db.ts';
import type { Lock } from '../../database/locks.ts';
import { formatBankKid, formatImportKid } from '../../lib/kid.ts';
import { appendAudit, tenantAuditLock, type AuditRecord } from '../audit/queries/append-audit.ts';
import type { AuditContext } from '../audit/rules/audit-context.ts';
import type { RecordedValues } from '../audit/rules/recorded-values.ts';
import { outboxLock } from '../outbox/queries/outbox.ts';
import type { ImportKind, ImportTarget } from '../import-kinds/import-kind.ts';

type Recorded = { readonly kind: ImportKind; readonly target: ImportTarget };

/** Whose data a kind has: those of a bank, or of the tenant. */
export const ownerOf = ({ kind, target: { tenant, bank } }: Recorded): Pick<AuditRecord, 'object' | 'bankId'> =>
  kind.belongsTo === 'tenant'
    ? { object: tenant.name }
    : { object: formatBankKid(tenant.name, bank.bankId), bankId: bank.bankId };

/** The lock of writes that record what happens to an import. */
export const ownerLock = ({ bankId }: Pick<AuditRecord, 'bankId'>): Lock<void> =>
  bankId === undefined ? tenantAuditLock() : outboxLock({ bankId });

/** The transaction has taken the lock of the owner. */
export function recordImport(
  db: WriteDb,
  actor: AuditContext,
  { importId, ...recorded }: Recorded & { readonly importId: number },
  values: RecordedValues,
): Promise<void> {
  const { object: ownerKid, ...chain } = ownerOf(recorded);
  const { kind, target } = recorded;
  const after = { kind: kind.name, ...(kind.belongsTo === 'bank' ? { bankKid: ownerKid } : {}), ...values };
  return appendAudit(db, actor, {
    object: formatImportKid(target.tenant.name, importId),
    ...chain,
    before: null,
    after,
  });
}

/** Records that all objects of a kind leave the service. */
export const recordDataExport = (db: WriteDb, actor: AuditContext, exported: Recorded): Promise<void> =>
  appendAudit(db, actor, { ...ownerOf(exported), before: null, after: { kind: exported.kind.name, format: 'csv' } });
