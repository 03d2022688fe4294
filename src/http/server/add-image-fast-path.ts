// Puts the image fast path in front of the framework: it takes the server's requests first, and hands all that it does
// not serve to the framework's own listener.

import type { FastifyInstance } from 'fastify';
import type { RequestListener } from 'node:http';
import { hstsHeader, nosniffHeader } from '../context/common-headers.ts';
import { createImageFastPath, type ImageFastPathDependencies } from '../image-fast-path.ts';
import { createImageResponseCache } from '../image-response-cache.ts';
import { createImageRouter } from '../image-router.ts';
import { isImageOperation } from '../operation-properties.ts';
import type { Operation } from '../operation.ts';

type FastPathOptions = Pick<
  ImageFastPathDependencies,
  'compressor' | 'findTenantHost' | 'findClientIp' | 'unsentAnswers' | 'logAccess' | 'isClosing' | 'limiter' | 'metrics'
> & {
  readonly operations: readonly Operation[];
  readonly tls: object | undefined;
  readonly allowedOrigins: readonly string[];
  /** Epoch milliseconds. */
  readonly clock: () => number;
};

export function addImageFastPath({ server }: FastifyInstance, options: FastPathOptions): void {
  const [frameworkListener] = server.listeners('request') as RequestListener[];
  if (frameworkListener === undefined) throw new Error('the framework does not listen for requests');
  server.removeListener('request', frameworkListener);
  const { operations, tls, allowedOrigins, clock, ...shared } = options;
  const fastPath = createImageFastPath(
    {
      ...shared,
      scheme: tls === undefined ? 'http' : 'https',
      commonHeaders: [...nosniffHeader, ...(tls === undefined ? [] : hstsHeader)],
      varyFields:
        allowedOrigins.length === 0
          ? { compressible: ['vary', 'Accept-Encoding'], other: [] }
          : { compressible: ['vary', 'Origin, Accept-Encoding'], other: ['vary', 'Origin'] },
      imageRouter: createImageRouter(operations.filter(isImageOperation)),
      imageResponseCache: createImageResponseCache(clock),
    },
    frameworkListener,
  );
  server.on('request', fastPath);
}
