// Writes all objects of a kind as the CSV that an import reads, for an operator.

import { createOperatorAuditContext } from '../../audit/rules/audit-context.ts';
import { takeLocks } from '../../../database/locks.ts';
import { requireBank } from '../../places/require-place.ts';
import { importKinds } from '../../import-kinds/import-kinds.ts';
import { readExportedRows } from '../read-exported-rows.ts';
import { ownerLock, ownerOf, recordDataExport } from '../record-import.ts';
import { createWorkTarget } from '../require-import.ts';
import { defaultSource } from '../../import-profiles/rules/default-profile.ts';
import { createExportFormat } from '../../import-profiles/rules/export-format.ts';
import type { ImportKindName } from '../../import-kinds/rules/kind-names.ts';
import type { OperatorImports } from './import-by-operator.ts';

const recordDeadlineMs = 10_000;
const exportDeadlineMs = 3_600_000;

type Exported = {
  readonly kind: ImportKindName;
  /** 0 for a kind that belongs to no bank. */
  readonly bankId: number;
  /** Whose keys the rows have, if not those of our own files. */
  readonly source?: string | undefined;
};
type Write = (text: string) => Promise<void>;

/** Throws Problem where there is no such bank. */
export async function exportByOperator(operator: OperatorImports, exported: Exported, write: Write): Promise<void> {
  await recordExportByOperator(operator, exported);
  await writeExport(operator, exported, write);
}

/** Records that the data leave the service. Throws Problem where there is no such bank. */
export async function recordExportByOperator(
  { database, tenant, clock, command = 'export' }: OperatorImports,
  { kind: name, bankId }: Exported,
): Promise<void> {
  const kind = importKinds[name];
  const target = createWorkTarget({ tenant, now: clock() }, kind, bankId);
  await database.write({ deadlineMs: recordDeadlineMs }, async (db) => {
    await takeLocks(db, [ownerLock(ownerOf({ kind, target }))]);
    if (kind.belongsTo === 'bank') await requireBank(db, target.bank);
    await recordDataExport(db, createOperatorAuditContext(command, clock), { kind, target });
  });
}

export async function writeExport(
  { database, tenant, clock }: OperatorImports,
  { kind: name, bankId, source = defaultSource }: Exported,
  write: Write,
): Promise<void> {
  const kind = importKinds[name];
  const target = createWorkTarget({ tenant, now: clock() }, kind, bankId);
  const { header, formatRows } = createExportFormat(kind, 'programs');
  await database.read({ deadlineMs: exportDeadlineMs, forDownload: true }, async (db) => {
    await write(header);
    for await (const rows of readExportedRows(db, { kind, target, source }))
      for (const text of formatRows(rows)) await write(text);
  });
}
