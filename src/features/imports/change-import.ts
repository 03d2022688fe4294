// Changes an import as managers and operators request: begins, applies, undoes or cancels the import. Each function
// runs in the transaction of the caller, who has taken the lock of the import.

import type { WriteDb } from '../../database/db.ts';
import { Problem } from '../../lib/problem.ts';
import type { AuditContext } from '../audit/rules/audit-context.ts';
import type { ImportKind, ImportTarget } from '../import-kinds/import-kind.ts';
import { deletePlanPart } from './queries/expired-plans.ts';
import { insertImport, updateImport, type StoredImport } from './queries/imports.ts';
import { recordImport } from './record-import.ts';
import type { FoundImport } from './require-import.ts';
import {
  planLeaseMs,
  maxAtomicRows,
  needsExpectedMissing,
  planKeptMs,
  type ImportState,
  type MissingAction,
} from './rules/import-states.ts';
import { formatActor } from './rules/stored-actor.ts';

type NewImport = {
  readonly importId: number;
  readonly kind: ImportKind;
  readonly target: ImportTarget;
  readonly source: string;
  readonly missing: MissingAction;
};

/** Its file follows. The audit log says so when the plan is made. */
export async function beginImport(db: WriteDb, actor: AuditContext, begun: NewImport): Promise<void> {
  const { importId, kind, target, source, missing } = begun;
  const now = actor.readClock();
  await insertImport(db, {
    import_id: importId,
    kind: kind.name,
    bank_id: kind.belongsTo === 'bank' ? target.bank.bankId : 0,
    source,
    state: 'planning' satisfies ImportState,
    created_at: now,
    created_by: actor.kind === 'manager' ? actor.id : null,
    changed_at: now,
    file_hash: null,
    file_bytes: 0,
    detected: null,
    missing_action: missing,
    creates: 0,
    updates: 0,
    unchanged: 0,
    missing: 0,
    refused: 0,
    allow_partial: 0,
    done_through: 0,
    applied: 0,
    stale: 0,
    failed: 0,
    undone: 0,
    kept: 0,
    failure: null,
    actor: null,
    worker: null,
    lease_until: now + planLeaseMs,
    revision: 1,
  });
}

type Approval = {
  readonly expectedRevision: string;
  readonly allowPartial: boolean;
  /** How many objects the file is expected to lack. */
  readonly expectedMissing?: number | undefined;
};

const requireRevision = ({ revision }: StoredImport, expectedRevision: string): void => {
  if (expectedRevision !== String(revision)) throw new Problem('import-conflict');
};

type Refusal = 'not-planned' | 'nothing-applied' | 'rows-refused' | 'too-many-rows' | 'ended' | 'nothing-to-do';

const refuse = (reason: Refusal, detail: string): Problem => new Problem('import-not-allowed', { reason, detail });

/** Approves the plan of an import, so that its rows are applied later. */
export async function approveImport(
  db: WriteDb,
  actor: AuditContext,
  { row, kind, target }: FoundImport,
  { expectedRevision, allowPartial, expectedMissing }: Approval,
): Promise<void> {
  requireRevision(row, expectedRevision);
  if (row.state !== 'planned') throw refuse('not-planned', `The import is ${row.state}.`);
  const count = row.creates + row.updates + row.missing;
  if (row.refused > 0 && !allowPartial)
    throw refuse('rows-refused', `Rows are refused (${row.refused}): correct the file, or allow a part of it.`);
  if (count === 0) throw refuse('nothing-to-do', 'No row changes anything.');
  if (count > maxAtomicRows && !allowPartial)
    throw refuse(
      'too-many-rows',
      `All or nothing is for at most ${maxAtomicRows} rows: allow a part, or divide the file.`,
    );
  if (row.missing > 0 && row.missing !== expectedMissing) {
    // Those that it used to have: whom it has still, and whom it lacks.
    const known = row.updates + row.unchanged + row.missing;
    if (expectedMissing !== undefined || needsExpectedMissing(row.missing, known))
      throw new Problem('import-missing-rows', {
        detail: `${row.missing} of ${known} objects are missing in the file.`,
      });
  }
  await begin(
    db,
    actor,
    { row, kind, target },
    { state: 'applying', done_through: 0, allow_partial: allowPartial ? 1 : 0 },
  );
}

/** Undoes what was applied, the last row first. */
export async function revertImport(
  db: WriteDb,
  actor: AuditContext,
  found: FoundImport,
  expectedRevision: string,
): Promise<void> {
  const { row } = found;
  requireRevision(row, expectedRevision);
  const isEnded = row.state === 'applied' || row.state === 'cancelled' || row.state === 'undone';
  if (!isEnded || row.applied <= row.undone + row.kept)
    throw refuse('nothing-applied', `The import is ${row.state}, and has nothing to undo.`);
  if (row.changed_at < actor.readClock() - planKeptMs)
    throw refuse('nothing-applied', 'The rows of an import are kept for 90 days: it can be undone no longer.');
  await begin(db, actor, found, { state: 'undoing', done_through: Number.MAX_SAFE_INTEGER });
}

/** The audit log contains what was requested. The rows are applied or undone later. */
const begin = async (
  db: WriteDb,
  actor: AuditContext,
  { row, kind, target }: FoundImport,
  changes: Partial<StoredImport> & { readonly state: ImportState },
): Promise<void> => {
  const now = actor.readClock();
  const fresh = { worker: null, lease_until: null, failure: null, changed_at: now, actor: formatActor(actor) };
  await updateImport(db, row.import_id, { ...fresh, ...changes });
  await recordImport(db, actor, { kind, target, importId: row.import_id }, { state: changes.state });
};

/**
 * What is applied stays, and can be undone. A plan that was never applied is deleted; the rest of a large one later.
 */
export async function endImport(db: WriteDb, actor: AuditContext, { row, kind, target }: FoundImport): Promise<void> {
  if (!['planning', 'planned', 'applying'].includes(row.state)) throw refuse('ended', `The import is ${row.state}.`);
  if (row.state !== 'applying') await deletePlanPart(db, row.import_id, maxAtomicRows);
  await updateImport(db, row.import_id, {
    state: 'cancelled',
    worker: null,
    lease_until: null,
    changed_at: actor.readClock(),
  });
  await recordImport(db, actor, { kind, target, importId: row.import_id }, { state: 'cancelled' });
}
