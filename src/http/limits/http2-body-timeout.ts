// Bounds the time in which the body of an HTTP/2 request must arrive.

import type { FastifyRequest } from 'fastify';
import { constants, type Http2ServerRequest } from 'node:http2';
import { hasArrivingBody } from './arriving-body.ts';
import { limits } from './limits.ts';

/** An HTTP/2 stream has no request timeout of its own: this closes a stream whose body has not arrived in time. */
export function closeStreamAfterTimeout(request: FastifyRequest): void {
  const { stream } = request.raw as unknown as Http2ServerRequest;
  if (stream.endAfterHeaders) return;
  const timeout = setTimeout(() => {
    if (!hasArrivingBody(stream)) stream.close(constants.NGHTTP2_CANCEL);
  }, limits.requestTimeoutMs);
  const cancelTimeout = (): void => clearTimeout(timeout);
  stream.once('end', cancelTimeout);
  stream.once('close', cancelTimeout);
}
