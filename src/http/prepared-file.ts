// Sends a success whose bytes are finished before the first one is sent: nothing waits for a slow client but the bytes,
// and nothing can go wrong halfway.

import type { FastifyReply } from 'fastify';
import { allowCompression, isCompressibleType } from './compression/allow-compression.ts';
import { appendToListHeader } from './list-header.ts';
import type { Operation } from './operation.ts';
import { negotiateJsonType, setLanguageHeaders } from './send-result.ts';

export type PreparedFileInput = {
  readonly body: Uint8Array;
  /** As Content-Type has it; without one the body is JSON, of the type that the client prefers. */
  readonly mediaType?: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The fields of the request, beside the usual ones, on which it depends. */
  readonly varies?: readonly string[];
};

/** The result of an operation that declares `fileHeaders`. */
export class PreparedFile {
  readonly body: Uint8Array;
  readonly mediaType: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly varies: readonly string[];

  constructor({ body, mediaType, headers, varies = [] }: PreparedFileInput) {
    this.body = body;
    this.mediaType = mediaType;
    this.headers = headers;
    this.varies = varies;
  }
}

export function sendPreparedFile(
  operation: Operation,
  { body, mediaType, headers, varies }: PreparedFile,
  reply: FastifyReply,
): FastifyReply {
  setLanguageHeaders(operation, reply);
  for (const field of varies) appendToListHeader(reply, 'vary', field);
  if (mediaType === undefined) appendToListHeader(reply, 'vary', 'Accept');
  const type = mediaType ?? negotiateJsonType(reply.request.headers.accept);
  if (isCompressibleType(type)) allowCompression(reply, 'each');
  return reply
    .headers({ ...headers, 'cache-control': 'no-store', 'content-type': type })
    .send(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
}
