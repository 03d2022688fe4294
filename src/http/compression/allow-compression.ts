// Says of an answer that it may be compressed. Whoever sends an answer says so, since only they know whether it holds a
// secret: its length would tell of it what it has in common with text that an attacker chose (BREACH).

import type { FastifyReply } from 'fastify';
import { appendToListHeader } from '../list-header.ts';

/** `each`: for each request anew. `stored`: the compressed bytes are kept under the tenant and the ETag. */
export type CompressionMode = 'each' | 'stored';

const compressibleTypes = new Set([
  'application/json',
  'image/svg+xml',
  'text/css',
  'text/csv',
  'text/html',
  'text/javascript',
]);

/** Archives, Excel files and images of pixels are not: most are compressed in themselves. */
export const isCompressibleType = (mediaType: string): boolean =>
  compressibleTypes.has(mediaType.split(';', 1)[0] ?? '');

/** Also a 304 and an answer that is too small have the Vary field: caches must know it of every one. */
export function allowCompression(reply: FastifyReply, mode: CompressionMode): void {
  const { requestContext } = reply.request;
  if (requestContext.compression === undefined) appendToListHeader(reply, 'vary', 'Accept-Encoding');
  requestContext.compression = mode;
}
