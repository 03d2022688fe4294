// Records an export or another read of many rows, in a transaction of its own that runs at the same time as the first
// read.

import type { ManagerContext } from '../../http/context/operation-context.ts';
import { takeLocks } from '../../database/locks.ts';
import { outboxLock } from '../outbox/queries/outbox.ts';
import { appendAudit, type AuditRecord } from './queries/append-audit.ts';
import { createManagerAuditContext } from './rules/audit-context.ts';

type ExportRecord = Pick<AuditRecord, 'object'> & {
  readonly bankId: number;
  /** What is exported; never the text of a search, which can be a name. */
  readonly exported: NonNullable<AuditRecord['after']>;
};

/**
 * Call it when nothing can refuse the export any more, and await it before anything is sent. If it fails, the export
 * must fail too. Records nothing for HEAD.
 */
export const recordExport = (
  context: ManagerContext,
  { object, bankId, exported: after }: ExportRecord,
): Promise<void> =>
  context.writeBesideReads(async (db) => {
    await takeLocks(db, [outboxLock({ bankId })]);
    await appendAudit(db, createManagerAuditContext(context), { object, bankId, before: null, after });
  });
