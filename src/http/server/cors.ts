// Pages of other origins, and what they may read (Fetch standard, CORS protocol).

import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

/**
 * Pages of the configured origins, and no others, may read answers: refusals too, so this comes before anything is
 * refused. OPTIONS is answered by the route itself.
 */
export async function registerCors(app: FastifyInstance, allowedOrigins: readonly string[]): Promise<void> {
  if (allowedOrigins.length === 0) return;
  const allowed = new Set<string | undefined>(allowedOrigins);
  await app.register(cors, {
    origin: (origin, callback) => callback(null, allowed.has(origin)),
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: ['X-Document-Complete', 'Content-Disposition', 'ETag', 'X-Request-Id'],
    maxAge: 600,
    strictPreflight: false,
    preflightContinue: true,
  });
}
