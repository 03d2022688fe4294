// Records an export or another read of many rows, in a transaction of its own that runs beside the first read.

import type { ManagerContext } from '../../http/context/operation-context.ts';
import { appendAudit, type AuditRecord } from './queries/append-audit.ts';
import { createManagerActor } from './rules/audit-actor.ts';

export type ExportRecord = Pick<AuditRecord, 'object'> & {
  readonly bankId: number;
  /** What is exported: never the text of a search, which may be a name. */
  readonly exported: NonNullable<AuditRecord['after']>;
};

/**
 * To be called once nothing can refuse the export any more, and awaited before anything is sent. If it fails, so must the
 * export. Records nothing for HEAD.
 */
export const recordExport = (
  context: ManagerContext,
  { object, bankId, exported: after }: ExportRecord,
): Promise<void> =>
  context.writeForDownload((db) =>
    appendAudit(db, createManagerActor(context), { object, bankId, before: null, after }),
  );
