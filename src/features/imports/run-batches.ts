// Applies an import, or takes it back, batch by batch. Each batch is a transaction, which also says how far the import
// has come: so another process can go on after a failure, and no row is done twice.

import type { LockableDb, WriteDb } from '../../database/db.ts';
import { takeLocks } from '../../database/locks.ts';
import type { TenantDatabase } from '../../database/tenant-database.ts';
import type { AuditContext } from '../audit/rules/audit-context.ts';
import {
  disabledState,
  keyField,
  stateField,
  type ApplicableRow,
  type AppliedRow,
  type FoundRow,
  type KeyedRow,
  type UndoableRow,
  type UndoneRow,
} from '../import-kinds/import-kind.ts';
import { runStep } from '../import-kinds/rules/answers.ts';
import { deleteKeys, findObjectsOfKeys, storeKeys } from './queries/import-keys.ts';
import {
  listChangedKids,
  listRowsToApply,
  listRowsToUndo,
  replacePlanRows,
  type PlanRow,
} from './queries/import-rows.ts';
import { importLock, releaseImport, updateImport, type StoredImport } from './queries/imports.ts';
import { ownerLock, ownerOf } from './record-import.ts';
import { keySpaceOf, type Source } from './resolve-rows.ts';
import { leaseMs, maxAtomicRows, type ImportState, type RowOutcome } from './rules/import-states.ts';
import { findStaleness } from './rules/decide-row.ts';

type Execution = Source & {
  readonly database: TenantDatabase;
  readonly importId: number;
  /** Whose request it is, at the time of the call. */
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
export async function runBatches(execution: Execution): Promise<void> {
  const { database, importId, worker, signal } = execution;
  while (!signal.aborted) if (!(await runNextBatch(execution))) return;
  // Another process need not wait for the end of the lease.
  await database.write({ deadlineMs }, (db) => releaseImport(db, importId, worker));
}

/** False if nothing is left to do here. */
async function runNextBatch(execution: Execution): Promise<boolean> {
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
    return await database.write({ deadlineMs }, (db) => runBatch(db, createBatch()));
  } catch (error) {
    if (!(error instanceof BatchRefused)) throw error;
    await database.write({ deadlineMs }, (db) => recordRefusal(db, createBatch(), error.rows));
    return false;
  }
}

/** All or nothing: a row cannot be applied, so the transaction is rolled back. */
class BatchRefused extends Error {
  readonly rows: readonly PlanRow[];

  constructor(rows: readonly PlanRow[]) {
    super('a row of the import cannot be applied');
    this.rows = rows;
  }
}

async function runBatch(db: LockableDb, batch: Batch): Promise<boolean> {
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
  const owner = ownerLock(ownerOf({ kind, target }));
  const [row] = await takeLocks(db, [importLock(importId), owner, ...kind.locks(target, objectKids)]);
  const isWorked = row?.state === 'applying' || row?.state === 'undoing';
  const isOthers = row?.worker !== worker && (row?.lease_until ?? 0) > actor.readClock();
  return isWorked && !isOthers ? row : undefined;
}

type Counts = Pick<StoredImport, 'applied' | 'stale' | 'failed' | 'undone' | 'kept'>;

function countOutcomes(row: StoredImport, rows: readonly PlanRow[]): Counts {
  const { applied, stale, failed, undone, kept } = row;
  const counts: Record<RowOutcome, number> = { applied, stale, failed, undone, kept };
  for (const { outcome } of rows) if (outcome !== null) counts[outcome] += 1;
  return counts;
}

async function applyBatch(db: LockableDb, batch: Batch, row: StoredImport): Promise<boolean> {
  const planned = await listRowsToApply(db, row.import_id, row.done_through, batchRowsOf(batch));
  const last = planned.at(-1);
  if (last === undefined) return finishImport(db, batch, 'applied');
  const done = await applyRows(db, batch, planned);
  await keepOn(db, batch, { done_through: last.position, ...countOutcomes(row, done) });
  return true;
}

/** In one transaction; see `maxAtomicRows`. */
async function applyAll(db: LockableDb, batch: Batch, row: StoredImport): Promise<boolean> {
  const planned = await listRowsToApply(db, row.import_id, 0, maxAtomicRows);
  const done = await applyRows(db, batch, planned);
  const refused = done.filter(({ outcome }) => outcome !== 'applied');
  if (refused.length > 0) throw new BatchRefused(refused);
  return finishImport(db, batch, 'applied', countOutcomes(row, done));
}

/** Stores what kept an import from being applied. Nothing else of it is stored. */
async function recordRefusal(db: LockableDb, batch: Batch, rows: readonly PlanRow[]): Promise<void> {
  const row = await lockOwnImport(db, batch);
  if (row === undefined) return;
  await replacePlanRows(db, row.import_id, rows);
  const failure = { code: 'rows-refused', text: `${rows.length} rows could not be applied: none was.`, line: 0 };
  await finishImport(db, batch, 'failed', { ...countOutcomes(row, rows), failure: JSON.stringify(failure) });
}

/** What has become of a row, beside what the plan says of it. */
type Outcome = Partial<Pick<PlanRow, 'outcome' | 'errors' | 'objectKid' | 'resultRevision'>>;

/** Applies rows of the plan in their order, and stores what became of each. */
async function applyRows(db: LockableDb, batch: Batch, planned: readonly PlanRow[]): Promise<PlanRow[]> {
  const { kind, target, actor } = batch;
  const space = keySpaceOf(batch);
  const objects = await findObjectsOfKeys(
    db,
    space,
    planned.map(({ key }) => key),
  );
  const keyed = planned.map((row) => ({ planned: row, ...toKeyedRow(row, objects.get(row.key)) }));
  const found = await runStep(keyed, (rows) => kind.findCurrent(db, target, rows));
  const outcomes = new Map<number, Outcome>();
  const applicable: ApplicableRow[] = [];
  for (const [row, { current, errors }] of found) {
    const refusal = refuse(row.planned, { current, errors });
    if (refusal === undefined) applicable.push(toApplicableRow(row, current));
    else outcomes.set(row.position, refusal);
  }
  const applied = await runStep(applicable, (rows) => kind.apply(db, actor, target, rows));
  for (const [{ position }, answer] of applied) outcomes.set(position, toAppliedOutcome(answer));
  const done = planned.map((row): PlanRow => ({ ...row, ...outcomes.get(row.position) }));
  await replacePlanRows(db, batch.importId, done);
  const keys = keyed.flatMap(({ planned: { position, action, changes }, key, objectKid: known }) => {
    const { outcome, objectKid = null } = outcomes.get(position) ?? {};
    const isNew = action === 'create' || changes.some(isKeyChange) || objectKid !== known;
    return outcome === 'applied' && objectKid !== null && isNew ? [{ key, objectKid }] : [];
  });
  await storeKeys(db, space, keys);
  return done;
}

const isKeyChange = ({ field }: { readonly field: string }): boolean => field === keyField;

const toKeyedRow = ({ position, key, values, objectKid }: PlanRow, found: string | undefined): KeyedRow => ({
  position,
  key,
  values: values ?? {},
  objectKid: objectKid ?? found ?? null,
});

function refuse(row: PlanRow, { current, errors }: Pick<FoundRow, 'current' | 'errors'>): Outcome | undefined {
  const staleness = findStaleness(row, current);
  if (staleness !== undefined) return { outcome: 'stale', errors: staleness };
  return errors.length > 0 ? { outcome: 'failed', errors } : undefined;
}

type KeyedPlanRow = KeyedRow & { readonly planned: PlanRow };

const toApplicableRow = ({ planned, ...keyed }: KeyedPlanRow, current: FoundRow['current']): ApplicableRow => ({
  ...keyed,
  values: planned.action === 'missing' ? { [stateField]: disabledState } : keyed.values,
  current,
});

const toAppliedOutcome = (applied: AppliedRow): Outcome =>
  'errors' in applied
    ? { outcome: 'failed', errors: applied.errors }
    : { outcome: 'applied', objectKid: applied.objectKid, resultRevision: applied.revision };

async function undoBatch(db: LockableDb, batch: Batch, row: StoredImport): Promise<boolean> {
  const applied = await listRowsToUndo(db, row.import_id, row.done_through, batchRowsOf(batch));
  const last = applied.at(-1);
  if (last === undefined) return finishImport(db, batch, 'undone');
  const done = await undoRows(db, batch, applied);
  await keepOn(db, batch, { done_through: last.position, ...countOutcomes(row, done) });
  return true;
}

const changedSince: Outcome = {
  outcome: 'kept',
  errors: [
    {
      field: '',
      code: 'changed-since',
      text: 'The object has been changed since it was imported, and is left as it is.',
    },
  ],
};

async function undoRows(db: LockableDb, batch: Batch, applied: readonly PlanRow[]): Promise<PlanRow[]> {
  const { kind, target, actor } = batch;
  const keyed = applied.map((row) => ({ planned: row, ...toKeyedRow({ ...row, values: {} }, undefined) }));
  const found = await runStep(keyed, (rows) => kind.findCurrent(db, target, rows));
  const undoable = Array.from(found).flatMap(([{ planned, position, objectKid }, { current }]): UndoableRow[] => {
    if (current === null || objectKid === null || current.revision !== planned.resultRevision) return [];
    const changed = planned.changes.filter((change) => !isKeyChange(change));
    const before = Object.fromEntries(changed.map((change) => [change.field, change.before ?? '']));
    const action = planned.action === 'create' ? 'create' : 'update';
    return [{ position, objectKid, action, before, current }];
  });
  const answers = await runStep(undoable, (rows) => kind.undo(db, actor, target, rows));
  const outcomes = new Map(Array.from(answers, ([{ position }, undone]) => [position, toUndoneOutcome(undone)]));
  const done = applied.map((row): PlanRow => ({ ...row, ...(outcomes.get(row.position) ?? changedSince) }));
  await replacePlanRows(db, batch.importId, done);
  const isNewKey = ({ action, changes }: PlanRow): boolean => action === 'create' || changes.some(isKeyChange);
  const restored = applied.flatMap((row) => {
    const { objectKid = null } = outcomes.get(row.position) ?? {};
    return objectKid === null || objectKid === row.objectKid || isNewKey(row) ? [] : [{ key: row.key, objectKid }];
  });
  await storeKeys(db, keySpaceOf(batch), restored);
  const withdrawn = done.filter((row) => row.outcome === 'undone' && isNewKey(row)).map(({ key }) => key);
  await deleteKeys(db, keySpaceOf(batch), withdrawn);
  return done;
}

const toUndoneOutcome = (undone: UndoneRow): Outcome => {
  if ('errors' in undone) return { outcome: 'kept', errors: undone.errors };
  const { revision: resultRevision, objectKid } = undone;
  return { outcome: 'undone', resultRevision, ...(objectKid === undefined ? {} : { objectKid }) };
};

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
