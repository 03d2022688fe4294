// Mounts /livez (the process answers) and /readyz (every tenant can be served), on any host.

import type { FastifyInstance, FastifyReply } from 'fastify';
import type { FailedCheck } from '../../database/checks/diagnosis.ts';
import { Problem } from '../../lib/problem.ts';
import { addOptionsRoute } from '../routes/options-route.ts';
import { createReadinessCheck, type ReadinessDependencies } from './readiness.ts';

const config = { anyHost: true };

type HealthDependencies = ReadinessDependencies & {
  /** Aborts when the service is about to stop. */
  readonly stopping?: AbortSignal | undefined;
};

export function mountHealth(app: FastifyInstance, dependencies: HealthDependencies): void {
  const listFailedChecks = createReadinessCheck(dependencies);
  app.get('/livez', { config }, (_request, reply) => sendStatus(reply, 'ok'));
  app.get('/readyz', { config }, async ({ url }, reply) => {
    if (dependencies.stopping?.aborted === true) throw new Problem('not-ready', { detail: 'stopping' });
    const failed = await listFailedChecks();
    // For a load balancer: a tenant that no replica can serve is no reason to remove the others.
    const query = new URLSearchParams(url.slice(url.indexOf('?') + 1));
    const needed = query.get('tenants') === 'any' ? 1 : dependencies.tenants.length;
    if (dependencies.tenants.length - failed.length < needed) throw createNotReadyProblem(failed);
    return sendStatus(reply, failed.length === 0 ? 'ok' : 'degraded');
  });
  for (const url of ['/livez', '/readyz']) addOptionsRoute(app, url, ['GET'], config);
}

/** Names the checks in `detail`, and each tenant's failure in `errors`. Only the log has file paths. */
function createNotReadyProblem(failed: readonly FailedCheck[]): Problem {
  return new Problem('not-ready', {
    detail: [...new Set(failed.map(({ check }) => check))].join(', '),
    errors: failed.map(({ tenant, storage, check, problem, remedy }) => ({
      path: tenant,
      message: `${check}: ${storage}: ${problem}. ${remedy}.`,
    })),
  });
}

const sendStatus = (reply: FastifyReply, status: 'ok' | 'degraded'): FastifyReply =>
  reply
    .headers({ 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' })
    .send(JSON.stringify({ status }));
