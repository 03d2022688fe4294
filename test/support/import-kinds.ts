// Plans, applies, undoes and exports rows with a kind of import on a database, as an import does, but without files.

import type { Db, LockableDb } from '../../src/database/db.ts';
import { takeLocks } from '../../src/database/locks.ts';
import { createOperatorAuditContext, type AuditContext } from '../../src/features/audit/rules/audit-context.ts';
import type {
  AppliedRow,
  ExportedRow,
  FoundRow,
  ImportKind,
  ImportTarget,
  KeyedRow,
  RowError,
  RowValues,
  UndoneRow,
} from '../../src/features/import-kinds/import-kind.ts';
import { answerEach } from '../../src/features/import-kinds/rules/answers.ts';
import { requireWholeTenant } from '../../src/permissions/coverage.ts';
import { createOperatorScope } from '../../src/permissions/scope.ts';
import { builtInTenants } from '../../src/tenants.ts';
import { grantBank } from './granted-banks.ts';
import { testNow } from './times.ts';

export function importTarget(bankId = 1001, name = 'sund'): ImportTarget {
  const tenant = builtInTenants.find((each) => each.name === name);
  if (tenant === undefined) throw new Error(`there is no tenant ${name}`);
  const wholeTenant = requireWholeTenant(createOperatorScope(name));
  return { tenant, bank: grantBank(bankId, name), wholeTenant, showsDisabled: true, now: testNow };
}

export const importActor = (now = testNow): AuditContext => createOperatorAuditContext('import', () => now);

/** Rows as a file has them, by their keys. Throws where a row cannot be read. */
export function keyedRows(
  kind: ImportKind,
  target: ImportTarget,
  rows: Readonly<Record<string, RowValues>>,
  objectKids: Readonly<Record<string, string>> = {},
): KeyedRow[] {
  return Object.entries(rows).map(([key, given], index) => {
    const { values, errors } = kind.parseRow(given, target);
    if (errors.length > 0) throw new Error(errors.map(({ text }) => text).join(' '));
    return { position: index + 1, key, values, objectKid: objectKids[key] ?? null };
  });
}

/** What there is of each of the rows. */
export async function findRows(
  db: Db,
  kind: ImportKind,
  target: ImportTarget,
  rows: readonly KeyedRow[],
): Promise<FoundRow[]> {
  return [...answerEach(rows, await kind.findCurrent(db, target, rows)).values()];
}

export type Applied = { readonly found: readonly FoundRow[]; readonly applied: readonly AppliedRow[] };

/** Applies rows that create objects, in one transaction that has the locks of the kind. */
export async function applyRows(
  db: LockableDb,
  kind: ImportKind,
  target: ImportTarget,
  rows: readonly KeyedRow[],
  actor = importActor(),
): Promise<Applied> {
  await takeLocks(db, kind.locks(target));
  const found = await findRows(db, kind, target, rows);
  const valid = rows.filter((_, index) => found[index]?.errors.length === 0 && found[index]?.current === null);
  const applicable = valid.map((row) => ({ ...row, current: null }));
  const applied = answerEach(applicable, await kind.apply(db, actor, target, applicable));
  return { found, applied: [...applied.values()] };
}

/** Undoes what rows created, the last first. */
export async function undoRows(
  db: LockableDb,
  kind: ImportKind,
  target: ImportTarget,
  kids: readonly string[],
  actor = importActor(),
): Promise<readonly UndoneRow[]> {
  await takeLocks(db, kind.locks(target));
  const rows = kids.map((objectKid, index) => ({ position: index + 1, key: objectKid, values: {}, objectKid }));
  const found = await findRows(db, kind, target, rows);
  const undoable = rows.flatMap(({ position, objectKid }, index) => {
    const current = found[index]?.current;
    if (current === null || current === undefined) return [];
    return [{ position, objectKid, action: 'create' as const, before: {}, current }];
  });
  return [...answerEach(undoable, await kind.undo(db, actor, target, undoable)).values()];
}

export async function exportedRows(
  db: LockableDb,
  kind: ImportKind,
  target: ImportTarget,
): Promise<readonly ExportedRow[]> {
  const rows: ExportedRow[] = [];
  for await (const batch of kind.exportRows(db, target)) rows.push(...batch);
  return rows;
}

export const kidsOf = (applied: readonly AppliedRow[]): string[] =>
  applied.flatMap((row) => ('objectKid' in row ? [row.objectKid] : []));

export const codesOf = (errors: readonly RowError[]): string[] => errors.map(({ field, code }) => `${field} ${code}`);
