// Carries out imports that were approved, one at a time for each tenant, and goes on with those whose process has ended.

import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Databases } from '../../../database/databases.ts';
import { takeLocks } from '../../../database/locks.ts';
import type { Tenant } from '../../../tenants.ts';
import { carryOutImport } from '../record-carried-out.ts';
import { deletePlan, listEndedPlans } from '../queries/import-rows.ts';
import { importLock, listAbandonedImports, updateImport } from '../queries/imports.ts';
import type { ImportState } from '../rules/import-states.ts';

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
/** Plans of imports that have ended are kept so long, to be looked at and undone. */
const keptMs = 90 * 24 * 3600 * 1000;

export function createImportJobs({ databases, tenants, clock, log }: JobDependencies): ImportJobs {
  const worker = randomUUID();
  const closing = new AbortController();
  const { signal } = closing;
  /** The work of each tenant, one after another. */
  const queues = new Map<string, Promise<void>>();
  let timer: NodeJS.Timeout | undefined;

  const enqueue = (tenant: string, work: () => Promise<void>): void => {
    const next = (queues.get(tenant) ?? Promise.resolve()).then(async () => {
      if (signal.aborted) return;
      // The import stays as it is, and is found again.
      await work().catch((error: unknown) => log.warn({ err: error, tenant }, 'an import was interrupted'));
    });
    queues.set(tenant, next);
  };
  const carryOut = (tenant: Tenant, importId: number): Promise<void> =>
    carryOutImport({ database: databases.forTenant(tenant.name), tenant, importId, clock, worker, signal });
  const look = async (tenant: Tenant): Promise<void> => {
    const database = databases.forTenant(tenant.name);
    const states = ['planning', 'applying', 'undoing'] as const satisfies ImportState[];
    const { abandoned, ended } = await database.read({ deadlineMs }, async (db) => ({
      abandoned: await listAbandonedImports(db, states, clock()),
      ended: await listEndedPlans(db, clock() - keptMs),
    }));
    for (const { import_id: importId, state } of abandoned)
      await (state === 'planning' ? failPlan(tenant.name, importId) : carryOut(tenant, importId));
    for (const { import_id: importId, state } of ended)
      await database.write({ deadlineMs }, async (db) => {
        await deletePlan(db, importId);
        // Without its rows a plan cannot be applied.
        if (state === 'planned') await updateImport(db, importId, { state: 'cancelled', changed_at: clock() });
      });
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
    for (const tenant of tenants) enqueue(tenant.name, () => look(tenant));
    timer = setTimeout(lookAtAll, lookIntervalMs).unref();
  };
  return {
    start: () => {
      timer ??= setTimeout(lookAtAll, 0).unref();
    },
    wake: (tenant, importId) => enqueue(tenant.name, () => carryOut(tenant, importId)),
    close: async () => {
      closing.abort();
      clearTimeout(timer);
      await Promise.all(queues.values());
    },
  };
}
