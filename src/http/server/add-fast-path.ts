// Puts the fast path in front of the framework: it takes the server's requests first, and hands all that it does not
// serve to the framework's own listener.

import type { FastifyInstance } from 'fastify';
import type { RequestListener } from 'node:http';
import { hstsHeader, nosniffHeader } from '../context/common-headers.ts';
import { createFastPath, type FastPathDependencies } from '../fast-path.ts';
import { createImageResponseCache } from '../image-response-cache.ts';
import { createImageRouter } from '../image-router.ts';
import { createKnownAnswers } from '../known-answers.ts';
import { isImageOperation } from '../operation-properties.ts';
import type { Operation } from '../operation.ts';

type FastPathOptions = Pick<
  FastPathDependencies,
  'compressor' | 'findTenantHost' | 'findClientIp' | 'unsentAnswers' | 'logAccess' | 'isClosing' | 'limiter' | 'metrics'
> & {
  readonly operations: readonly Operation[];
  readonly tls: object | undefined;
  readonly allowedOrigins: readonly string[];
  /** Epoch milliseconds. */
  readonly clock: () => number;
};

export function addFastPath({ server }: FastifyInstance, options: FastPathOptions): void {
  const [frameworkListener] = server.listeners('request') as RequestListener[];
  if (frameworkListener === undefined) throw new Error('the framework does not listen for requests');
  server.removeListener('request', frameworkListener);
  const { operations, tls, allowedOrigins, clock, ...shared } = options;
  const commonHeaders = [...nosniffHeader, ...(tls === undefined ? [] : hstsHeader)];
  const varyBy = (...fields: readonly string[]): string[] => {
    const all = [...(allowedOrigins.length === 0 ? [] : ['Origin']), ...fields];
    return all.length === 0 ? [] : ['vary', all.join(', ')];
  };
  const fastPath = createFastPath(
    {
      ...shared,
      scheme: tls === undefined ? 'http' : 'https',
      commonHeaders,
      varyFields: { compressible: varyBy('Accept-Encoding'), other: varyBy() },
      imageRouter: createImageRouter(operations.filter(isImageOperation)),
      imageResponseCache: createImageResponseCache(clock),
      knownAnswers: createKnownAnswers({
        operations,
        compressor: shared.compressor,
        commonHeaders,
        varyField: varyBy('Accept', 'Accept-Encoding'),
      }),
    },
    frameworkListener,
  );
  server.on('request', fastPath);
}
