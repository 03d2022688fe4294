// Plans, applies and undoes imports for an operator, who has no session: by the same rules, in the operator's own process.

import { randomUUID } from 'node:crypto';
import type { WriteDb } from '../../../database/db.ts';
import { takeLocks } from '../../../database/locks.ts';
import type { TenantDatabase } from '../../../database/tenant-database.ts';
import { Problem } from '../../../lib/problem.ts';
import { createOperatorScope } from '../../../permissions/scope.ts';
import type { Tenant } from '../../../tenants.ts';
import { createOperatorAuditContext, type AuditContext } from '../../audit/rules/audit-context.ts';
import { requireBank } from '../../places/require-place.ts';
import { createRowFormatter, toImport } from '../answers.ts';
import { ownerLock } from '../record-import.ts';
import { runImport } from '../run-import.ts';
import { approveImport, beginImport, endImport, revertImport } from '../change-import.ts';
import type { TableOptions } from '../../import-profiles/formats/read-table.ts';
import { importKinds } from '../../import-kinds/import-kinds.ts';
import { listPlanRows } from '../queries/import-rows.ts';
import { findImport, importIdsLock, importLock } from '../queries/imports.ts';
import { readProfile } from '../../import-profiles/read-profile.ts';
import { readCurrency } from '../read-currency.ts';
import { planImport } from '../plan-import.ts';
import { createWorkTarget, requireImport, type FoundImport } from '../require-import.ts';
import { defaultSource } from '../../import-profiles/rules/default-profile.ts';
import type { ImportState, MissingAction, RowAction, RowOutcome } from '../rules/import-states.ts';
import type { ImportKindName } from '../../import-kinds/rules/kind-names.ts';
import type { Import, ImportRow } from '../schemas.ts';

const deadlineMs = 30_000;

export type OperatorImports = {
  readonly database: TenantDatabase;
  readonly tenant: Tenant;
  /** MS2000. */
  readonly clock: () => number;
  /** Its name in the audit log, if it is another one than `import`. */
  readonly command?: string;
};

type FileToPlan = {
  readonly kind: ImportKindName;
  /** 0 for a kind that belongs to no bank. */
  readonly bankId: number;
  readonly profile: string | undefined;
  readonly missing: MissingAction;
  readonly options: TableOptions;
  readonly file: AsyncIterable<Uint8Array>;
};

/** Throws Problem where there is no such bank, or no such profile. */
export async function planByOperator(
  operator: OperatorImports,
  { kind: name, bankId, profile: profileName, missing, options, file }: FileToPlan,
): Promise<Import> {
  const { database, tenant, clock, command = 'import' } = operator;
  const kind = importKinds[name];
  const target = createWorkTarget({ tenant, now: clock() }, kind, bankId);
  const actor = createOperatorAuditContext(command, clock);
  const source = profileName ?? defaultSource;
  const profile =
    profileName === undefined
      ? undefined
      : await database.read({ deadlineMs }, (db) => readProfile(db, profileName, kind));
  const importId = await database.write({ deadlineMs }, async (db) => {
    const [id] = await takeLocks(db, [importIdsLock()]);
    if (kind.belongsTo === 'bank') await requireBank(db, target.bank);
    await beginImport(db, actor, { importId: id, kind, target, source, missing });
    return id;
  });
  const plan = { database, importId, kind, target, source, missing, actor, file };
  await planImport({ ...plan, options: { ...options, ...(profile === undefined ? {} : { profile }) } });
  return readByOperator(operator, importId);
}

export async function readByOperator({ database, tenant }: OperatorImports, importId: number): Promise<Import> {
  const row = await database.read({ deadlineMs, isSingleStatement: true }, (db) => findImport(db, importId));
  if (row === undefined) throw new Problem('not-found');
  return toImport(tenant.name, row);
}

/** Rows with an action, or of which this became, in the order of the file. */
export async function* listByOperator(
  { database, tenant, clock }: OperatorImports,
  importId: number,
  selection: { readonly action?: RowAction; readonly outcome?: RowOutcome },
): AsyncGenerator<ImportRow> {
  const limit = 200;
  const formatRow = await database.read({ deadlineMs }, async (db) => {
    const found = await requireImport(db, createOperatorScope(tenant.name), { tenant, now: clock() }, importId);
    return createRowFormatter({ kind: found.kind, currency: await readCurrency(db, found) });
  });
  for (let after = 0, hasMore = true; hasMore;) {
    const rows = await database.read({ deadlineMs, isSingleStatement: true }, (db) =>
      listPlanRows(db, importId, { ...selection, after: [after], offset: 0, limit }),
    );
    for (const row of rows.slice(0, limit)) yield formatRow(row);
    hasMore = rows.length > limit;
    after = rows[limit - 1]?.position ?? after;
  }
}

type Approved = { readonly allowPartial: boolean; readonly expectedMissing?: number | undefined };

/** Who works on an import, and until when. */
export type Work = { readonly worker: string; readonly signal: AbortSignal };

const createWork = (): Work => ({ worker: randomUUID(), signal: new AbortController().signal });

/**
 * Throws Problem if the state of the import does not allow it. Ends when the rows are done, another process does them, or
 * the work is stopped. What was begun is gone on with.
 */
export async function applyByOperator(
  operator: OperatorImports,
  importId: number,
  approved: Approved,
  work = createWork(),
): Promise<Import> {
  await changeByOperator(operator, importId, 'import apply', async (db, actor, found) => {
    if (found.row.state === ('applying' satisfies ImportState)) return;
    await approveImport(db, actor, found, { ...approved, expectedRevision: String(found.row.revision) });
  });
  return resumeByOperator(operator, importId, work);
}

export async function undoByOperator(operator: OperatorImports, importId: number): Promise<Import> {
  await changeByOperator(operator, importId, 'import undo', async (db, actor, found) => {
    if (found.row.state === ('undoing' satisfies ImportState)) return;
    await revertImport(db, actor, found, String(found.row.revision));
  });
  return resumeByOperator(operator, importId, createWork());
}

export async function cancelByOperator(operator: OperatorImports, importId: number): Promise<Import> {
  await changeByOperator(operator, importId, 'import cancel', endImport);
  return readByOperator(operator, importId);
}

/** Goes on with what was approved before, also by others. */
export async function resumeByOperator(operator: OperatorImports, importId: number, work: Work): Promise<Import> {
  await runImport({ ...operator, importId, ...work });
  return readByOperator(operator, importId);
}

type Change = (db: WriteDb, actor: AuditContext, found: FoundImport) => Promise<void>;

async function changeByOperator(
  { database, tenant, clock, command }: OperatorImports,
  importId: number,
  ownCommand: string,
  change: Change,
): Promise<void> {
  const bankId = (await database.read({ deadlineMs }, (db) => findImport(db, importId)))?.bank_id ?? 0;
  await database.write({ deadlineMs }, async (db) => {
    await takeLocks(db, [importLock(importId), ownerLock(bankId === 0 ? {} : { bankId })]);
    const found = await requireImport(db, createOperatorScope(tenant.name), { tenant, now: clock() }, importId);
    await change(db, createOperatorAuditContext(command ?? ownCommand, clock), found);
  });
}
