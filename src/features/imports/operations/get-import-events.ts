// GetImportEvents: tells as server-sent events how far an import has come, until nothing is being done with it.

import { setTimeout as pause } from 'node:timers/promises';
import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { StreamedBody } from '../../../http/representations/results.ts';
import { authorize } from '../../../http/requests/authorize.ts';
import type { KidOf } from '../../../lib/kid.ts';
import type { EventStreamLimits } from '../../desired-state/rules/event-stream-limits.ts';
import { needsOfImport } from '../access.ts';
import { toImport } from '../answers.ts';
import { requireImport } from '../require-import.ts';
import { isAtWork } from '../rules/import-states.ts';
import type { Import } from '../schemas.ts';

export type ImportEventsDependencies = {
  readonly eventStreamLimits: EventStreamLimits;
  /** The service stops: streams end, and their clients come back to another process. */
  readonly stopping: AbortSignal;
};

/** Whichever process carries the import out, its rows are in the database. */
const lookIntervalMs = 500;

export function getImportEvents(
  context: ManagerContext,
  { importId }: KidOf<'import'>,
  dependencies: ImportEventsDependencies,
): StreamedBody {
  return new StreamedBody('text/event-stream', streamEvents(context, importId, dependencies));
}

async function* streamEvents(
  context: ManagerContext,
  importId: number,
  { eventStreamLimits: { heartbeatMs, lifetimeMs }, stopping }: ImportEventsDependencies,
): AsyncGenerator<string> {
  const end = AbortSignal.any([context.clientSignal, AbortSignal.timeout(lifetimeMs), stopping]);
  let current = await readImport(context, importId);
  yield `retry: 5000\n\n${formatEvent(current)}`;
  let toldAt = performance.now();
  while (isAtWork(current.state)) {
    await pause(lookIntervalMs, undefined, { signal: end }).catch(() => {});
    if (end.aborted) return;
    const next = await readImport(context, importId);
    if (next.revision !== current.revision) yield formatEvent(next);
    else if (performance.now() - toldAt >= heartbeatMs) yield ': \n\n';
    else continue;
    current = next;
    toldAt = performance.now();
  }
}

async function readImport(context: ManagerContext, importId: number): Promise<Import> {
  const { scope, tenant, principal } = context;
  const found = await context.readForDownload((db) => requireImport(db, scope, context, importId));
  authorize(needsOfImport(found), principal);
  return toImport(tenant.name, found.row);
}

const formatEvent = (imported: Import): string => `event: import\ndata: ${JSON.stringify(imported)}\n\n`;
