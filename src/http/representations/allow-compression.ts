// Marks an answer as compressible. The code that sends an answer decides, since only it knows whether the answer holds
// a secret: the length would reveal what the secret has in common with an attacker's text (BREACH).

import type { FastifyReply } from 'fastify';
import { appendToListHeader } from '../protocol/list-header.ts';

/**
 * `each`: compressed anew for each request. `stored`: the compressed bytes are stored under the tenant and the ETag.
 */
export type CompressionMode = 'each' | 'stored';

const compressibleTypes = new Set([
  'application/json',
  'image/svg+xml',
  'text/css',
  'text/csv',
  'text/html',
  'text/javascript',
]);

/** Archives, Excel files and raster images are not compressible: most are already compressed. */
export const isCompressibleType = (mediaType: string): boolean =>
  compressibleTypes.has(mediaType.split(';', 1)[0] ?? '');

/** A 304, or an answer that is too small to compress, also has the Vary field: caches need it on every answer. */
export function allowCompression(reply: FastifyReply, mode: CompressionMode): void {
  const { requestContext } = reply.request;
  if (requestContext.compression === undefined) appendToListHeader(reply, 'vary', 'Accept-Encoding');
  requestContext.compression = mode;
}
