// Answers OPTIONS on a URL with the URL's methods.

import type { FastifyContextConfig, FastifyInstance, HTTPMethods } from 'fastify';

export function addOptionsRoute(
  app: FastifyInstance,
  url: string,
  declared: readonly HTTPMethods[],
  config: FastifyContextConfig = {},
): void {
  const allow = formatAllow(declared);
  app.route({
    method: 'OPTIONS',
    url,
    config,
    handler: (_request, reply) => reply.code(204).header('allow', allow).send(),
  });
}

/** The Allow field of a URL with these methods. */
export const formatAllow = (methods: readonly string[]): string => {
  const all = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'];
  return [...new Set(all)].join(', ');
};
