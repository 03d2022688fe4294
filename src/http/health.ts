// /livez and /readyz, on any host: the process answers; storage can be written and is migrated.

import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Databases } from '../database/databases.ts';
import { Problem } from '../lib/problem.ts';
import { refuseOtherMethods } from './mount.ts';

type Parts = {
  readonly tenants: readonly string[];
  readonly databases: Databases;
  readonly databaseAccess: { of(tenant: string, maxAgeMs?: number): string | Promise<string> };
};

const maxAgeMs = 5000;
const deadlineMs = 2000;

type Check = { readonly name: string; readonly passes: () => Promise<boolean> };

export function mountHealth(app: FastifyInstance, { tenants, databases, databaseAccess }: Parts): void {
  // A schema once found complete stays so while the process runs.
  const migrated = new Set<string>();
  const isMigrated = async (tenant: string): Promise<boolean> => {
    if (migrated.has(tenant)) return true;
    const complete = (await databases.pending(tenant)).length === 0;
    if (complete) migrated.add(tenant);
    return complete;
  };
  const isSafe = async (tenant: string): Promise<boolean> => {
    const unsafe = await databases.of(tenant).read({ deadlineMs }, (db) => db.words.unsafeSettings(db));
    if (unsafe.length > 0) app.log.warn({ tenant, unsafe }, 'the database server is not set as the ledger needs it');
    return unsafe.length === 0;
  };
  const every = (test: (tenant: string) => Promise<boolean>) => async (): Promise<boolean> =>
    (await Promise.all(tenants.map(test))).every(Boolean);
  const checks: Check[] = [
    { name: 'migrations', passes: every(isMigrated) },
    { name: 'database', passes: every(async (tenant) => (await databaseAccess.of(tenant, maxAgeMs)) === 'ReadWrite') },
    { name: 'storage-settings', passes: every(isSafe) },
  ];

  const firstFailing = async (): Promise<string | undefined> => {
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
  let asking: Promise<string | undefined> | undefined;
  let passedAtMs = Number.NEGATIVE_INFINITY;
  const currentVerdict = async (): Promise<string | undefined> => {
    const nowMs = performance.now();
    if (nowMs - passedAtMs < maxAgeMs) return undefined;
    asking ??= firstFailing().finally(() => (asking = undefined));
    const failing = await asking;
    if (failing === undefined) passedAtMs = nowMs;
    return failing;
  };
  const ok = (reply: FastifyReply): FastifyReply =>
    reply
      .headers({ 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' })
      .send('{"status":"ok"}');

  app.get('/livez', { config: { anyHost: true } }, (_request, reply) => ok(reply));
  app.get('/readyz', { config: { anyHost: true } }, async (_request, reply) => {
    const failing = await currentVerdict();
    if (failing !== undefined) throw new Problem('not-ready', { detail: failing });
    return ok(reply);
  });
  for (const url of ['/livez', '/readyz']) refuseOtherMethods(app, url, ['GET'], { anyHost: true });
}
