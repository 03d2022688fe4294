// Brings one file of a synchronised folder to its end: plans and applies it, or goes on where an earlier process stopped,
// and moves it with its report.

import { setTimeout as pause } from 'node:timers/promises';
import { formatUtc } from '../../../lib/time/ms2000.ts';
import { parseKid } from '../../../lib/kid.ts';
import { Problem } from '../../../lib/problem.ts';
import { todayIn } from '../../../lib/time/time-zone.ts';
import { findLastChange, listImportsOfFile, type StoredImport } from '../../imports/queries/imports.ts';
import { defaultSource } from '../../import-profiles/rules/default-profile.ts';
import type { ImportState, MissingAction } from '../../imports/rules/import-states.ts';
import { importKinds } from '../../import-kinds/import-kinds.ts';
import type { TakenFile } from '../rules/settled-files.ts';
import type { IncomingFiles } from '../rules/sync-config.ts';
import { decideNextStep, judgeEnd, judgePlan, type EarlierImport, type Reason } from '../rules/sync-decisions.ts';
import { createSyncReport, maxReportedRows, type SyncReport, type SyncResult } from '../rules/sync-report.ts';
import type { Import, ImportRow } from '../../imports/schemas.ts';
import {
  applyByOperator,
  cancelByOperator,
  listByOperator,
  planByOperator,
  readByOperator,
  resumeByOperator,
  type OperatorImports,
  type Work,
} from '../../imports/commands/import-by-operator.ts';
import { moveAside, openSource, type SourceFile } from './sync-files.ts';

export type SyncWork = { readonly operator: OperatorImports; readonly folder: string; readonly work: Work };

/** A file that is left is taken again. */
type FileEnd = { readonly report: SyncReport } | { readonly left: string };

type Ended = {
  readonly result: SyncResult;
  readonly reason: Reason | null;
  /** Null if none could be made. */
  readonly imported: Import | null;
};
type Outcome = Ended | { readonly left: string };

const changed = { left: 'it is being written to' } as const;
const deadlineMs = 30_000;

export async function syncFile(sync: SyncWork, { file, incoming }: TakenFile): Promise<FileEnd> {
  const { operator, folder } = sync;
  const source = await openSource(folder, file);
  if (source === undefined) return changed;
  let outcome: Outcome;
  try {
    outcome = await carryOutFile(sync, incoming, source);
  } finally {
    await source.close();
  }
  if ('left' in outcome) return outcome;
  const { result, reason, imported } = outcome;
  const { hash: sha256, bytes } = source;
  const rows = imported === null ? [] : await listProblemRows(operator, importIdOf(operator, imported));
  const reportedUtc = formatUtc(operator.clock());
  const report = createSyncReport({ file: file.name, sha256, bytes, result, reason, reportedUtc }, imported, rows);
  const target = result === 'failed' ? 'failed' : 'done';
  return (await moveAside(target, { folder, seen: file, report })) ? { report } : changed;
}

async function carryOutFile(sync: SyncWork, incoming: IncomingFiles, source: SourceFile): Promise<Outcome> {
  for (let plans = 1; ; plans += 1) {
    const outcome = await attempt(sync, incoming, source, plans);
    if (outcome !== 'plan-again') return outcome;
  }
}

type Attempt = Outcome | 'plan-again';

async function attempt(sync: SyncWork, incoming: IncomingFiles, source: SourceFile, plans: number): Promise<Attempt> {
  const { operator } = sync;
  const next = decideNextStep(await readEarlierImports(operator, incoming, source), incoming, operator.clock());
  if (next.step === 'wait') return { left: 'an import of it is being undone' };
  if (next.step === 'plan') return planAndApply(sync, incoming, source, plans);
  const imported = await readByOperator(operator, next.importId);
  if (next.step === 'applied-before') return { result: 'applied-before', reason: null, imported };
  return next.step === 'go-on'
    ? finish(sync, imported, plans)
    : approveAndApply(sync, incoming, source, { imported, plans });
}

async function readEarlierImports(
  { database, tenant, clock }: OperatorImports,
  { kind, bankId, profile }: IncomingFiles,
  { hash }: SourceFile,
): Promise<EarlierImport[]> {
  const file = { kind, bankId, source: profile ?? defaultSource, fileHash: hash };
  const { rows, lastChange } = await database.read({ deadlineMs }, async (db) => ({
    rows: await listImportsOfFile(db, file),
    lastChange: await findLastChange(db, file),
  }));
  const dayOf = (instant: number): string => todayIn(tenant.timeZone, instant).toString();
  const { absenceField = '' } = importKinds[kind];
  const hasDays = ({ detected }: StoredImport): boolean =>
    (JSON.parse(detected ?? '{}') as { columns?: readonly string[] }).columns?.includes(absenceField) === true;
  return rows.map((row) => ({
    importId: row.import_id,
    state: row.state as ImportState,
    missing: row.missing_action as MissingAction,
    staleRows: row.stale,
    isOfOperator: row.created_by === null,
    changedAt: row.changed_at,
    isFollowed: lastChange !== undefined && lastChange !== row.import_id,
    isOutdated: hasDays(row) && dayOf(row.changed_at) !== dayOf(clock()),
  }));
}

async function planAndApply(
  sync: SyncWork,
  incoming: IncomingFiles,
  source: SourceFile,
  plans: number,
): Promise<Attempt> {
  const { operator } = sync;
  const { kind, bankId, profile, missing } = incoming;
  let imported: Import;
  try {
    const file = source.blocks();
    imported = await planByOperator(operator, { kind, bankId, profile, missing, options: {}, file });
  } catch (error) {
    return { result: 'failed', reason: explainProblem(error), imported: null };
  }
  return approveAndApply(sync, incoming, source, { imported, plans });
}

async function approveAndApply(
  sync: SyncWork,
  incoming: IncomingFiles,
  source: SourceFile,
  { imported, plans }: { readonly imported: Import; readonly plans: number },
): Promise<Attempt> {
  const { operator, work } = sync;
  const importId = importIdOf(operator, imported);
  // The hash is that of the bytes that were planned; a plan that failed has none.
  const isSame = imported.fileHash === null || imported.fileHash === source.hash;
  if (!isSame || !(await source.isUnchanged())) {
    if (imported.state === 'planned') await cancelByOperator(operator, importId);
    return changed;
  }
  const verdict = judgePlan(imported, incoming, await countKeylessRows(operator, importId, imported));
  if (verdict.verdict === 'failed') return { result: 'failed', reason: verdict.reason, imported };
  if (verdict.verdict === 'unchanged')
    return { result: 'unchanged', reason: null, imported: await cancelByOperator(operator, importId) };
  try {
    return await finish(sync, await applyByOperator(operator, importId, verdict, work), plans);
  } catch (error) {
    return { result: 'failed', reason: explainProblem(error), imported: await readByOperator(operator, importId) };
  }
}

const pollMs = 500;

/** Waits for the rows, also if another process does them. */
async function finish({ operator, work }: SyncWork, approved: Import, plans: number): Promise<Attempt> {
  const importId = importIdOf(operator, approved);
  let imported = approved;
  while (imported.state === 'applying') {
    if (work.signal.aborted) return { left: 'the command was stopped: the next one goes on with it' };
    imported = await resumeByOperator(operator, importId, work);
    if (imported.state === 'applying') await pause(pollMs, undefined, { signal: work.signal }).catch(() => {});
  }
  const verdict = judgeEnd(imported, plans);
  if (verdict.verdict === 'plan-again') return 'plan-again';
  return verdict.verdict === 'failed'
    ? { result: 'failed', reason: verdict.reason, imported }
    : { result: 'applied', reason: null, imported };
}

/** Throws what is no answer to the file: it is then taken again. */
function explainProblem(error: unknown): Reason {
  if (!(error instanceof Problem)) throw error;
  return { code: error.details.reason ?? error.code, text: error.message };
}

function importIdOf({ tenant }: OperatorImports, { kid }: Import): number {
  const parsed = parseKid(kid, tenant.name, ['import']);
  if (parsed === undefined) throw new Error(`${kid} is no import of ${tenant.name}`);
  return parsed.importId;
}

/** Only where it matters: their objects seem to be missing. */
async function countKeylessRows(operator: OperatorImports, importId: number, { counts }: Import): Promise<number> {
  if (counts.missing === 0 || counts.refused === 0) return 0;
  let count = 0;
  for await (const { key } of listByOperator(operator, importId, { action: 'refused' })) if (key === '') count += 1;
  return count;
}

async function listProblemRows(operator: OperatorImports, importId: number): Promise<ImportRow[]> {
  const rows: ImportRow[] = [];
  for (const selection of [{ action: 'refused' }, { outcome: 'stale' }, { outcome: 'failed' }] as const)
    for await (const row of listByOperator(operator, importId, selection)) {
      if (rows.length > maxReportedRows) return rows;
      rows.push(row);
    }
  return rows;
}
