// Runs imports that were approved, one at a time for each tenant, and goes on with those whose process has ended.

import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Databases } from '../../../database/databases.ts';
import { takeLocks } from '../../../database/locks.ts';
import type { TenantDatabase } from '../../../database/tenant-database.ts';
import type { Tenant } from '../../../tenants.ts';
import { runImport } from '../run-import.ts';
import { deletePlanPart, listPlansToDelete } from '../queries/expired-plans.ts';
import { importLock, listAbandonedImports, updateImport } from '../queries/imports.ts';
import { isPlanOver, planDeletedBefore, type ImportState } from '../rules/import-states.ts';

export type ImportJobs = {
  /** Looks for work now and from then on. */
  start(): void;
  /** An import was approved, or is to be undone. */
  wake(tenant: Tenant, importId: number): void;
  /** Ends after the batches that are being done. */
  close(): Promise<void>;
};

type JobDependencies = {
  readonly databases: Databases;
  readonly tenants: readonly Tenant[];
  /** MS2000. */
  readonly clock: () => number;
  readonly log: Logger;
};

const lookIntervalMs = 30_000;
const deadlineMs = 10_000;
/** Rows that are deleted in one transaction, which others wait for. */
const deletedTogether = 2000;

export function createImportJobs({ databases, tenants, clock, log }: JobDependencies): ImportJobs {
  const worker = randomUUID();
  const closing = new AbortController();
  const { signal } = closing;
  /** The work of each tenant, one after another. */
  const queues = new Map<string, Promise<void>>();
  let timer: NodeJS.Timeout | undefined;

  /** The import stays as it is, and is found again. Others need not wait for one that cannot be run. */
  const attempt = async (tenant: string, work: () => Promise<void>): Promise<void> => {
    if (signal.aborted) return;
    await work().catch((error: unknown) => {
      // A stop interrupts it as well, and is no failure.
      if (!signal.aborted) log.warn({ err: error, tenant }, 'an import was interrupted');
    });
  };
  const enqueue = (tenant: string, work: () => Promise<void>): void => {
    const last = queues.get(tenant) ?? Promise.resolve();
    queues.set(
      tenant,
      last.then(() => attempt(tenant, work)),
    );
  };
  const run = (tenant: Tenant, importId: number): Promise<void> =>
    runImport({ database: databases.forTenant(tenant.name), tenant, importId, clock, worker, signal });
  const look = async (tenant: Tenant): Promise<void> => {
    const database = databases.forTenant(tenant.name);
    const states = ['planning', 'applying', 'undoing'] as const satisfies ImportState[];
    const abandoned = await database.read({ deadlineMs }, (db) => listAbandonedImports(db, states, clock()));
    for (const { import_id: importId, state } of abandoned)
      await attempt(tenant.name, () =>
        state === 'planning' ? failPlan(tenant.name, importId) : run(tenant, importId),
      );
    const over = await database.read({ deadlineMs }, (db) => listPlansToDelete(db, planDeletedBefore(clock())));
    for (const importId of over) await attempt(tenant.name, () => deletePlan({ database, importId, clock, signal }));
  };
  /** Its file can only be sent again. */
  const failPlan = (tenant: string, importId: number): Promise<void> =>
    databases.forTenant(tenant).write({ deadlineMs }, async (db) => {
      const [row] = await takeLocks(db, [importLock(importId)]);
      if (row?.state !== 'planning' || (row.lease_until ?? 0) > clock()) return;
      const failure = {
        code: 'interrupted',
        text: 'The service ended while the file arrived: send it again.',
        line: 0,
      };
      await updateImport(db, importId, { state: 'failed', failure: JSON.stringify(failure), changed_at: clock() });
    });
  const lookAtAll = (): void => {
    for (const tenant of tenants) if (!databases.isHeldBack(tenant.name)) enqueue(tenant.name, () => look(tenant));
    timer = setTimeout(lookAtAll, lookIntervalMs).unref();
  };
  return {
    start: () => {
      timer ??= setTimeout(lookAtAll, 0).unref();
    },
    wake: (tenant, importId) => enqueue(tenant.name, () => run(tenant, importId)),
    close: async () => {
      closing.abort();
      clearTimeout(timer);
      await Promise.all(queues.values());
    },
  };
}

type PlanDeletion = {
  readonly database: TenantDatabase;
  readonly importId: number;
  readonly clock: () => number;
  readonly signal: AbortSignal;
};

/** In parts, between which others write. */
async function deletePlan({ database, importId, clock, signal }: PlanDeletion): Promise<void> {
  const deleteNext = (): Promise<boolean> =>
    database.write({ deadlineMs }, async (db) => {
      const [row] = await takeLocks(db, [importLock(importId)]);
      // Somebody may have asked for it since it was listed.
      if (row === undefined || !isPlanOver(row, clock())) return false;
      // A plan that has lost its rows cannot be applied.
      if (row.state === 'planned') await updateImport(db, importId, { state: 'cancelled', changed_at: clock() });
      return deletePlanPart(db, importId, deletedTogether);
    });
  while (!signal.aborted) if (!(await deleteNext())) return;
}
