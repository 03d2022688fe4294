// Carries out an import, or takes it back, batch by batch. Each batch is a transaction, which also says how far the import
// has come: so another process can go on after a failure, and no row is done twice.

import type { LockableDb, WriteDb } from '../../database/db.ts';
import { takeLocks } from '../../database/locks.ts';
import type { TenantDatabase } from '../../database/tenant-database.ts';
import { tenantAuditLock } from '../audit/queries/append-audit.ts';
import type { AuditContext } from '../audit/rules/audit-context.ts';
import type { ApplicableRow, FoundRow, KeyedRow, RowError } from '../import-kinds/import-kind.ts';
import { deleteKeys, findObjectsOfKeys, storeKeys } from './queries/import-keys.ts';
import {
  listChangedKids,
  listRowsToApply,
  listRowsToUndo,
  replacePlanRows,
  type ImportPlanRow,
} from './queries/import-rows.ts';
import { importLock, releaseImport, updateImport, type StoredImport } from './queries/imports.ts';
import { keySpaceOf, type Source } from './resolve-rows.ts';
import { leaseMs, maxAtomicRows, type ImportState, type RowOutcome } from './rules/import-states.ts';
import { findStaleness } from './rules/decide-row.ts';
import { keyField } from '../import-kinds/import-kind.ts';

type Execution = Source & {
  readonly database: TenantDatabase;
  readonly importId: number;
  /** Whose request is carried out, at the time of the call. */
  readonly createActor: () => AuditContext;
  /** Names the process: only one works on an import. */
  readonly worker: string;
  /** The service stops: the work ends after the batch that it is doing, and another process goes on. */
  readonly signal: AbortSignal;
};

type Batch = Execution & { readonly actor: AuditContext; readonly objectKids: readonly string[] };

/** Others wait for a batch at most about as long as for a few single writes. */
const defaultBatchRows = 250;

const batchRowsOf = ({ kind }: Batch): number => kind.batchRows ?? defaultBatchRows;
const deadlineMs = 60_000;

/** Ends when nothing is left to do, or somebody else does it. */
export async function recordBatches(execution: Execution): Promise<void> {
  const { database, importId, worker, signal } = execution;
  while (!signal.aborted) if (!(await recordNext(execution))) return;
  // Another process need not wait for the end of the lease.
  await database.write({ deadlineMs }, (db) => releaseImport(db, importId, worker));
}

/** False if nothing is left to do here. */
async function recordNext(execution: Execution): Promise<boolean> {
  const { database, createActor } = execution;
  const { kind, importId } = execution;
  // The plan says which they are, and does not change any more.
  const objectKids =
    kind.locksObjects === true ? await database.read({ deadlineMs }, (db) => listChangedKids(db, importId)) : [];
  const createBatch = (): Batch => {
    const actor = createActor();
    return { ...execution, actor, objectKids, target: { ...execution.target, now: actor.now } };
  };
  try {
    return await database.write({ deadlineMs }, (db) => recordBatch(db, createBatch()));
  } catch (error) {
    if (!(error instanceof BatchRefused)) throw error;
    await database.write({ deadlineMs }, (db) => recordRefusal(db, createBatch(), error.rows));
    return false;
  }
}

/** All or nothing: a row cannot be applied, so the transaction is rolled back. */
class BatchRefused extends Error {
  readonly rows: readonly ImportPlanRow[];

  constructor(rows: readonly ImportPlanRow[]) {
    super('a row of the import cannot be applied');
    this.rows = rows;
  }
}

async function recordBatch(db: LockableDb, batch: Batch): Promise<boolean> {
  const row = await lockOwnImport(db, batch);
  if (row === undefined) return false;
  if (row.state === ('undoing' satisfies ImportState)) return undoBatch(db, batch, row);
  return row.allow_partial === 1 ? applyBatch(db, batch, row) : applyAll(db, batch, row);
}

/** The import, if it is this process's to work on. */
async function lockOwnImport(
  db: LockableDb,
  { importId, kind, target, worker, actor, objectKids }: Batch,
): Promise<StoredImport | undefined> {
  const audit = kind.belongsTo === 'tenant' ? [tenantAuditLock()] : [];
  const [row] = await takeLocks(db, [importLock(importId), ...audit, ...kind.locks(target, objectKids)]);
  const isWorked = row?.state === 'applying' || row?.state === 'undoing';
  const isOthers = row?.worker !== worker && (row?.lease_until ?? 0) > actor.readClock();
  return isWorked && !isOthers ? row : undefined;
}

type Counts = Pick<StoredImport, 'applied' | 'stale' | 'failed' | 'undone' | 'kept'>;

function countOutcomes(row: StoredImport, rows: readonly ImportPlanRow[]): Counts {
  const { applied, stale, failed, undone, kept } = row;
  const counts: Record<RowOutcome, number> = { applied, stale, failed, undone, kept };
  for (const { outcome } of rows) if (outcome !== null) counts[outcome] += 1;
  return counts;
}

async function applyBatch(db: WriteDb, batch: Batch, row: StoredImport): Promise<boolean> {
  const planned = await listRowsToApply(db, row.import_id, row.done_through, batchRowsOf(batch));
  if (planned.length === 0) return finishImport(db, batch, 'applied');
  const done = await applyRows(db, batch, planned);
  await keepOn(db, batch, { done_through: done.at(-1)!.position, ...countOutcomes(row, done) });
  return true;
}

/** In one transaction; see `maxAtomicRows`. */
async function applyAll(db: WriteDb, batch: Batch, row: StoredImport): Promise<boolean> {
  const planned = await listRowsToApply(db, row.import_id, 0, maxAtomicRows);
  const done = await applyRows(db, batch, planned);
  const refused = done.filter(({ outcome }) => outcome !== 'applied');
  if (refused.length > 0) throw new BatchRefused(refused);
  return finishImport(db, batch, 'applied', countOutcomes(row, done));
}

/** Stores what kept an import from being applied. Nothing else of it is stored. */
async function recordRefusal(db: LockableDb, batch: Batch, rows: readonly ImportPlanRow[]): Promise<void> {
  const row = await lockOwnImport(db, batch);
  if (row === undefined) return;
  await replacePlanRows(db, row.import_id, rows);
  const failure = { code: 'rows-refused', text: `${rows.length} rows could not be applied: none was.`, line: 0 };
  await finishImport(db, batch, 'failed', { ...countOutcomes(row, rows), failure: JSON.stringify(failure) });
}

/** Applies rows of the plan in their order, and stores what became of each. */
async function applyRows(db: WriteDb, batch: Batch, planned: readonly ImportPlanRow[]): Promise<ImportPlanRow[]> {
  const { kind, target, actor } = batch;
  const space = keySpaceOf(batch);
  const objects = await findObjectsOfKeys(
    db,
    space,
    planned.map(({ key }) => key),
  );
  const rows = planned.map((row) => ({ planned: row, keyed: toKeyedRow(row, objects.get(row.key)) }));
  const found = await kind.findCurrent(
    db,
    target,
    rows.map(({ keyed }) => keyed),
  );
  const refusals = new Map<number, ImportPlanRow>();
  const applicable = rows.flatMap(({ planned: row, keyed }, at) => {
    const refusal = refuse(row, found[at]!);
    if (refusal === undefined) return [toApplicableRow(row, keyed, found[at]!.current)];
    refusals.set(row.position, refusal);
    return [];
  });
  const outcomes = applicable.length === 0 ? [] : await kind.apply(db, actor, target, applicable);
  const outcomeOf = new Map(applicable.map(({ position }, at) => [position, outcomes[at]!]));
  const done = planned.map((row): ImportPlanRow => {
    const applied = outcomeOf.get(row.position);
    if (applied === undefined) return refusals.get(row.position)!;
    if ('errors' in applied) return { ...row, outcome: 'failed', errors: applied.errors };
    return { ...row, outcome: 'applied', objectKid: applied.objectKid, resultRevision: applied.revision };
  });
  await replacePlanRows(db, batch.importId, done);
  const keys = done.flatMap(({ key, objectKid, outcome, action, changes }, at) => {
    const isNew = action === 'create' || changes.some(isKeyChange) || objectKid !== rows[at]!.keyed.objectKid;
    return outcome === 'applied' && objectKid !== null && isNew ? [{ key, objectKid }] : [];
  });
  await storeKeys(db, space, keys);
  return done;
}

const isKeyChange = ({ field }: { readonly field: string }): boolean => field === keyField;

const toKeyedRow = ({ position, key, values, objectKid }: ImportPlanRow, found: string | undefined): KeyedRow => ({
  position,
  key,
  values: values ?? {},
  objectKid: objectKid ?? found ?? null,
});

function refuse(row: ImportPlanRow, { current, errors }: FoundRow): ImportPlanRow | undefined {
  const staleness = findStaleness(row, current);
  if (staleness !== undefined) return { ...row, outcome: 'stale', errors: staleness };
  return errors.length > 0 ? { ...row, outcome: 'failed', errors } : undefined;
}

const toApplicableRow = (row: ImportPlanRow, keyed: KeyedRow, current: FoundRow['current']): ApplicableRow => ({
  ...keyed,
  action: toAppliedAction(row),
  changedFields: row.action === 'update' ? Object.keys(keyed.values) : [],
  current,
});

const toAppliedAction = ({ action }: ImportPlanRow): ApplicableRow['action'] =>
  action === 'missing' ? 'deactivate' : action === 'create' ? 'create' : 'update';

async function undoBatch(db: WriteDb, batch: Batch, row: StoredImport): Promise<boolean> {
  const applied = await listRowsToUndo(db, row.import_id, row.done_through, batchRowsOf(batch));
  if (applied.length === 0) return finishImport(db, batch, 'undone');
  const done = await undoRows(db, batch, applied);
  await keepOn(db, batch, { done_through: done.at(-1)!.position, ...countOutcomes(row, done) });
  return true;
}

const changedSince: RowError = {
  field: '',
  code: 'changed-since',
  text: 'The object has been changed since it was imported, and is left as it is.',
};

async function undoRows(db: WriteDb, batch: Batch, applied: readonly ImportPlanRow[]): Promise<ImportPlanRow[]> {
  const { kind, target, actor } = batch;
  const found = await kind.findCurrent(
    db,
    target,
    applied.map((row) => toKeyedRow({ ...row, values: {} }, undefined)),
  );
  const currentOf = new Map(applied.map((row, at) => [row, found[at]!.current]));
  const untouched = applied.filter((row) => currentOf.get(row)?.revision === row.resultRevision);
  const undoable = untouched.map((row) => ({
    position: row.position,
    objectKid: row.objectKid!,
    action: toAppliedAction(row),
    before: Object.fromEntries(
      row.changes.filter((change) => !isKeyChange(change)).map(({ field, before }) => [field, before ?? '']),
    ),
    current: currentOf.get(row)!,
  }));
  const outcomes = undoable.length === 0 ? [] : await kind.undo(db, actor, target, undoable);
  const outcomeOf = new Map(untouched.map((row, at) => [row, outcomes[at]!]));
  const done = applied.map((row): ImportPlanRow => {
    const undone = outcomeOf.get(row);
    if (undone === undefined) return { ...row, outcome: 'kept', errors: [changedSince] };
    if ('errors' in undone) return { ...row, outcome: 'kept', errors: undone.errors };
    return { ...row, outcome: 'undone', resultRevision: undone.revision, objectKid: undone.objectKid ?? row.objectKid };
  });
  await replacePlanRows(db, batch.importId, done);
  const isNewKey = ({ action, changes }: ImportPlanRow): boolean => action === 'create' || changes.some(isKeyChange);
  const undone = done.filter(({ outcome }) => outcome === 'undone');
  const keys = undone.filter(isNewKey);
  const restored = done.flatMap((row, at) =>
    row.outcome === 'undone' && !isNewKey(row) && row.objectKid !== applied[at]!.objectKid
      ? [{ key: row.key, objectKid: row.objectKid! }]
      : [],
  );
  await storeKeys(db, keySpaceOf(batch), restored);
  await deleteKeys(
    db,
    keySpaceOf(batch),
    keys.map(({ key }) => key),
  );
  return done;
}

const keepOn = (db: WriteDb, { importId, worker, actor }: Batch, changes: Partial<StoredImport>): Promise<void> =>
  updateImport(db, importId, { ...changes, worker, lease_until: actor.readClock() + leaseMs });

async function finishImport(
  db: WriteDb,
  { importId, actor }: Batch,
  state: ImportState,
  changes: Partial<StoredImport> = {},
): Promise<boolean> {
  await updateImport(db, importId, {
    ...changes,
    state,
    worker: null,
    lease_until: null,
    changed_at: actor.readClock(),
  });
  return false;
}
