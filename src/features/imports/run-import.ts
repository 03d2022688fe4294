// Runs an import that was approved, or is to be undone, for whoever asked for it.

import type { TenantDatabase } from '../../database/tenant-database.ts';
import type { Tenant } from '../../tenants.ts';
import { findImport } from './queries/imports.ts';
import { runBatches } from './run-batches.ts';
import { createWorkTarget, importKindOf } from './require-import.ts';
import { parseActor } from './rules/stored-actor.ts';

type ApprovedImport = {
  readonly database: TenantDatabase;
  readonly tenant: Tenant;
  readonly importId: number;
  /** MS2000. */
  readonly clock: () => number;
  /** Names the process: only one works on an import. */
  readonly worker: string;
  /** The work ends after the batch that is being done. */
  readonly signal: AbortSignal;
};

const deadlineMs = 10_000;

/** Ends when nothing is left to do, or somebody else does it. */
export async function runImport({ database, tenant, importId, clock, worker, signal }: ApprovedImport) {
  const row = await database.read({ deadlineMs }, (db) => findImport(db, importId));
  if (row === undefined || row.actor === null) return;
  const { actor, source } = row;
  const kind = importKindOf(row);
  const target = createWorkTarget({ tenant, now: clock() }, kind, row.bank_id);
  const createActor = () => parseActor(actor, clock);
  await runBatches({ database, importId, kind, target, source, createActor, worker, signal });
}
