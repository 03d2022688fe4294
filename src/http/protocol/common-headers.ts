// The header fields that every response has.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { formatTraceparent } from './trace.ts';

export const nosniffHeader = ['x-content-type-options', 'nosniff'] as const;

/** Tells browsers to use only HTTPS from now on (RFC 6797), also for the host of beta, which is below that of production. */
export const hstsHeader = ['strict-transport-security', 'max-age=31536000; includeSubDomains'] as const;

export function setCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id);
  reply.header('traceparent', formatTraceparent(request.requestContext.trace));
  reply.header(...nosniffHeader);
}
