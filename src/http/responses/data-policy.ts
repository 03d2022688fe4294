// Tells browsers that an answer that is no page loads nothing, and is framed by no page (OWASP REST Security Cheat Sheet).

import type { FastifyInstance, FastifyReply } from 'fastify';

export const dataPolicyHeader = [
  'content-security-policy',
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
] as const;

/** Pages bring a policy of their own. Pictures have none: any page may show them. */
export function addDataPolicy(app: FastifyInstance): void {
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (!reply.hasHeader(dataPolicyHeader[0]) && !isPicture(reply)) reply.header(...dataPolicyHeader);
    done(null, payload);
  });
}

/** Includes a 304, which may be of a picture, and whose fields replace those that a cache has. */
const isPicture = (reply: FastifyReply): boolean =>
  reply.statusCode === 304 || String(reply.getHeader('content-type')).startsWith('image/');
