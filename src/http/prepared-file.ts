// Sends a success whose bytes are finished before the first one is sent: nothing waits for a slow client but the bytes,
// and nothing can go wrong halfway.

import type { FastifyReply } from 'fastify';
import { allowCompression, isCompressibleType } from './compression/allow-compression.ts';
import { appendToListHeader } from './list-header.ts';
import { negotiateJsonType } from './send-result.ts';

export type PreparedFileInput = {
  readonly body: Uint8Array;
  /** As Content-Type has it; without one the body is JSON, of the type that the client prefers. */
  readonly mediaType?: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** The result of an operation that declares `fileHeaders`. */
export class PreparedFile {
  readonly body: Uint8Array;
  readonly mediaType: string | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor({ body, mediaType, headers }: PreparedFileInput) {
    this.body = body;
    this.mediaType = mediaType;
    this.headers = headers;
  }
}

export function sendPreparedFile({ body, mediaType, headers }: PreparedFile, reply: FastifyReply): FastifyReply {
  if (mediaType === undefined) appendToListHeader(reply, 'vary', 'Accept');
  const type = mediaType ?? negotiateJsonType(reply.request.headers.accept);
  if (isCompressibleType(type)) allowCompression(reply, 'each');
  return reply
    .headers({ ...headers, 'cache-control': 'no-store', 'content-type': type })
    .send(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
}
