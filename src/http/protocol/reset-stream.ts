// Tells an HTTP/2 client that an answer is incomplete.

import type { FastifyReply } from 'fastify';
import { constants, type Http2ServerResponse } from 'node:http2';

/** The framework destroys an HTTP/1.1 connection, but would end an HTTP/2 stream as if the file were complete. */
export function resetStream({ raw }: FastifyReply): void {
  const { stream, headersSent } = raw as unknown as Partial<Pick<Http2ServerResponse, 'stream' | 'headersSent'>>;
  if (headersSent === true) stream?.close(constants.NGHTTP2_INTERNAL_ERROR);
}
