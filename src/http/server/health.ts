// Mounts /livez (the process answers) and /readyz (the service is ready), on any host.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { refuseOtherMethods } from '../method-not-allowed.ts';
import { createReadinessCheck, type ReadinessDependencies } from './readiness.ts';

const config = { anyHost: true };

export function mountHealth(app: FastifyInstance, dependencies: ReadinessDependencies): void {
  const requireReady = createReadinessCheck(dependencies, app.log);
  app.get('/livez', { config }, (_request, reply) => sendOk(reply));
  app.get('/readyz', { config }, async (_request, reply) => {
    await requireReady();
    return sendOk(reply);
  });
  for (const url of ['/livez', '/readyz']) refuseOtherMethods(app, url, ['GET'], config);
}

const sendOk = (reply: FastifyReply): FastifyReply =>
  reply
    .headers({ 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' })
    .send('{"status":"ok"}');
