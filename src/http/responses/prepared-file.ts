// Sends a success whose bytes are finished before the first one is sent: only the bytes wait for a slow client, and
// nothing can fail halfway.

import type { FastifyReply } from 'fastify';
import { allowCompression, isCompressibleType } from '../representations/allow-compression.ts';
import { appendToListHeader } from '../protocol/list-header.ts';
import type { RunOperation } from '../operations/operation.ts';
import { isConditional } from '../operations/operation-properties.ts';
import { hashBody, type PreparedFile } from '../representations/results.ts';
import { setBodyEtag } from './body-etag.ts';
import { negotiateJsonType, setLanguageHeaders } from './send-json.ts';

export function sendPreparedFile(
  operation: RunOperation,
  { body, mediaType, headers, timelessBody, varies = [] }: PreparedFile,
  reply: FastifyReply,
): FastifyReply {
  const language = setLanguageHeaders(operation, reply);
  for (const field of varies) appendToListHeader(reply, 'vary', field);
  if (mediaType === undefined) appendToListHeader(reply, 'vary', 'Accept');
  const type = mediaType ?? negotiateJsonType(reply.request.headers.accept);
  if (isCompressibleType(type)) allowCompression(reply, 'each');
  reply.headers({ ...headers, 'cache-control': 'no-store' });
  const tagged = { hash: hashBody(timelessBody ?? body), language, isWeak: timelessBody !== undefined };
  if (isConditional(operation) && setBodyEtag(reply, tagged)) return reply.code(304).send();
  return reply.header('content-type', type).send(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
}
