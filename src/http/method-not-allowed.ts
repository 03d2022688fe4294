// Answers the methods that a route does not have: OPTIONS with 204, any other with 405.

import type { FastifyContextConfig, FastifyInstance, HTTPMethods } from 'fastify';
import { Problem } from '../lib/problem.ts';

export function refuseOtherMethods(
  app: FastifyInstance,
  url: string,
  declared: readonly HTTPMethods[],
  config: FastifyContextConfig = {},
): void {
  const allowed = [...declared, ...(declared.includes('GET') ? ['HEAD'] : []), 'OPTIONS'];
  const allow = allowed.join(', ');
  app.route({
    method: 'OPTIONS',
    url,
    config,
    handler: (_request, reply) => reply.code(204).header('allow', allow).send(),
  });
  const refusedMethods = app.supportedMethods.filter((method) => !allowed.includes(method));
  const refuse = (): never => {
    throw new Problem('method-not-allowed', { headers: { allow } });
  };
  // Refused before the body is read: it does not matter here.
  app.route({ method: refusedMethods, url, config, onRequest: refuse, handler: refuse });
}
