// Lets pages of the configured origins read responses (Fetch standard, CORS protocol).

import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

/** Must come before hooks that refuse requests, so that pages can read problems too. Each route answers OPTIONS itself. */
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
