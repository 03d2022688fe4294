// /livez and /readyz, on any host: the process answers; storage can be written and is migrated.

import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Databases } from '../../database/databases.ts';
import { Problem } from '../../lib/problem.ts';
import { refuseOtherMethods } from '../mount-operations.ts';

type HealthDependencies = {
  readonly tenants: readonly string[];
  readonly databases: Databases;
  readonly databaseAccess: { getAccess(tenant: string, maxAgeMs?: number): string | Promise<string> };
};

const maxAgeMs = 5000;
const deadlineMs = 2000;

type HealthCheck = { readonly name: string; readonly passes: () => Promise<boolean> };

export function mountHealth(app: FastifyInstance, { tenants, databases, databaseAccess }: HealthDependencies): void {
  // A schema once found complete stays so while the process runs.
  const migratedTenants = new Set<string>();
  const isMigrated = async (tenant: string): Promise<boolean> => {
    if (migratedTenants.has(tenant)) return true;
    const complete = (await databases.listPendingMigrations(tenant)).length === 0;
    if (complete) migratedTenants.add(tenant);
    return complete;
  };
  const hasSafeSettings = async (tenant: string): Promise<boolean> => {
    const unsafe = await databases.forTenant(tenant).read({ deadlineMs }, (db) => db.dialect.listUnsafeSettings(db));
    if (unsafe.length > 0) app.log.warn({ tenant, unsafe }, 'the database server is not set as the ledger needs it');
    return unsafe.length === 0;
  };
  const forEveryTenant = (test: (tenant: string) => Promise<boolean>) => async (): Promise<boolean> =>
    (await Promise.all(tenants.map(test))).every(Boolean);
  const checks: HealthCheck[] = [
    { name: 'migrations', passes: forEveryTenant(isMigrated) },
    {
      name: 'database',
      passes: forEveryTenant(async (tenant) => (await databaseAccess.getAccess(tenant, maxAgeMs)) === 'ReadWrite'),
    },
    { name: 'storage-settings', passes: forEveryTenant(hasSafeSettings) },
  ];

  const findFailingCheck = async (): Promise<string | undefined> => {
    for (const { name, passes } of checks) {
      const passed = await passes().catch((error: unknown) => {
        app.log.warn({ err: error, check: name }, 'readiness check failed');
        return false;
      });
      if (!passed) return name;
    }
    return undefined;
  };
  // However many ask, the databases are looked at one time for all, and when all is well only once in a while.
  let pendingCheck: Promise<string | undefined> | undefined;
  let passedAtMs = Number.NEGATIVE_INFINITY;
  const findFailingCheckCached = async (): Promise<string | undefined> => {
    const nowMs = performance.now();
    if (nowMs - passedAtMs < maxAgeMs) return undefined;
    pendingCheck ??= findFailingCheck().finally(() => (pendingCheck = undefined));
    const failing = await pendingCheck;
    if (failing === undefined) passedAtMs = nowMs;
    return failing;
  };
  const sendOk = (reply: FastifyReply): FastifyReply =>
    reply
      .headers({ 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' })
      .send('{"status":"ok"}');

  app.get('/livez', { config: { anyHost: true } }, (_request, reply) => sendOk(reply));
  app.get('/readyz', { config: { anyHost: true } }, async (_request, reply) => {
    const failing = await findFailingCheckCached();
    if (failing !== undefined) throw new Problem('not-ready', { detail: failing });
    return sendOk(reply);
  });
  for (const url of ['/livez', '/readyz']) refuseOtherMethods(app, url, ['GET'], { anyHost: true });
}
