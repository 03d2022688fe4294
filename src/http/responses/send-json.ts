// Sends a success that is JSON or has no content: media type, language, caching headers, and for what managers read an
// ETag.

import type { FastifyReply } from 'fastify';
import Negotiator from 'negotiator';
import { setBodyEtag } from './body-etag.ts';
import { negotiateLanguage } from '../../lib/text/language.ts';
import { allowCompression } from '../representations/allow-compression.ts';
import { appendToListHeader } from '../protocol/list-header.ts';
import type { RunOperation } from '../operations/operation.ts';
import { isConditional } from '../operations/operation-properties.ts';
import { jsonMediaTypes, type RunResponse } from '../operations/response.ts';
import { hashBody, PreparedJson, type JsonResult } from '../representations/results.ts';

const defaultJsonType = 'application/json; charset=utf-8';

export function sendJson(operation: RunOperation, value: JsonResult<unknown>, reply: FastifyReply): FastifyReply {
  const { response, holdsSecret } = operation;
  const { headers } = reply.request;
  reply.header('cache-control', 'no-store');
  appendToListHeader(reply, 'vary', 'Accept');
  const language = setLanguageHeaders(operation, reply, value instanceof PreparedJson ? value.language : undefined);
  if (holdsSecret !== true) allowCompression(reply, 'each');
  const text = value instanceof PreparedJson ? value.text : JSON.stringify(value);
  if (isConditional(operation)) {
    const [hash, isWeak] =
      value instanceof PreparedJson ? [value.hash, value.timelessText !== undefined] : [hashBody(text), false];
    if (setBodyEtag(reply, { hash, language, revision: revisionOf(value), isWeak })) return reply.code(304).send();
  }
  setLocation(response, reply, value);
  return reply.code(response.status).header('content-type', negotiateJsonType(headers.accept)).send(text);
}

export function sendNoContent(operation: RunOperation, reply: FastifyReply): FastifyReply {
  reply.header('cache-control', 'no-store');
  setLanguageHeaders(operation, reply);
  return reply.code(operation.response.status).send();
}

function setLocation({ locationOf }: RunResponse, reply: FastifyReply, value: unknown): void {
  if (locationOf === undefined) return;
  reply.header('location', locationOf(value instanceof PreparedJson ? JSON.parse(value.text) : value));
}

/** Sets the headers of a response whose language depends on the request. Returns its language. */
export function setLanguageHeaders(
  { localised }: RunOperation,
  reply: FastifyReply,
  preparedLanguage?: string,
): string {
  if (localised !== true) return 'en';
  const language = preparedLanguage ?? negotiateLanguage(reply.request.headers['accept-language']);
  reply.header('content-language', language);
  appendToListHeader(reply, 'vary', 'Accept-Language');
  return language;
}

/** The JSON media type that the client prefers; application/json if it accepts none of them. */
export function negotiateJsonType(accept: string | undefined): string {
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return defaultJsonType;
  const [type = 'application/json'] = new Negotiator({ headers: { accept } }).mediaTypes(jsonMediaTypes);
  return `${type}; charset=utf-8`;
}

function revisionOf(result: unknown): string | undefined {
  if (typeof result !== 'object' || result === null || !('revision' in result)) return undefined;
  return typeof result.revision === 'string' ? result.revision : undefined;
}
