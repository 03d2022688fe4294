// Sends a success that is streamed while it is made: JSON Lines, or server-sent events. A failure before the first text
// becomes a problem; a later one aborts the connection, so that no client takes a part for the whole.

import type { FastifyReply } from 'fastify';
import { Readable } from 'node:stream';
import { StreamedBody } from '../representations/results.ts';
import type { RunOperation } from '../operations/operation.ts';
import { sendJson } from './send-json.ts';

export async function sendStreamed(
  operation: RunOperation,
  result: unknown,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (!(result instanceof StreamedBody)) return sendJson(operation, result, reply);
  const chunks = result.chunks[Symbol.asyncIterator]();
  const first = await chunks.next();
  reply.header('cache-control', 'no-store').header('content-type', result.mediaType);
  // A proxy must not wait for more of what is sent (nginx).
  reply.header('x-accel-buffering', 'no');
  return reply.code(operation.response.status).send(Readable.from(continueWith(first, chunks), { objectMode: false }));
}

async function* continueWith(first: IteratorResult<string>, chunks: AsyncIterator<string>): AsyncGenerator<string> {
  try {
    for (let next = first; next.done !== true; next = await chunks.next()) yield next.value;
  } finally {
    // Closes what is still open when the client has gone away.
    await chunks.return?.();
  }
}
