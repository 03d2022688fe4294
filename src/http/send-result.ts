// Sends the result of an operation: media type, language, caching headers, and the revision as a strong ETag.

import type { FastifyReply } from 'fastify';
import Negotiator from 'negotiator';
import { negotiateLanguage } from '../lib/language.ts';
import { allowCompression } from './compression/allow-compression.ts';
import { appendToListHeader } from './list-header.ts';
import type { Operation } from './operation.ts';
import { PreparedJson } from './prepared-json.ts';
import { findMatchingEtag } from './representation.ts';

export const defaultJsonType = 'application/json; charset=utf-8';
const jsonMediaTypes = ['application/json', 'text/json', 'text/plain'];

/** A result that depends on something beside its revision, such as the day: its ETag has that too. */
export class VariantResult {
  readonly result: object;
  /** Visible ASCII without quotes. */
  readonly variant: string;

  constructor(result: object, variant: string) {
    this.result = result;
    this.variant = variant;
  }
}

export function sendResult(operation: Operation, resultOfRun: unknown, reply: FastifyReply): FastifyReply {
  const isVariant = resultOfRun instanceof VariantResult;
  const result = isVariant ? resultOfRun.result : resultOfRun;
  const { access, method, response, status, holdsSecret } = operation;
  const { headers } = reply.request;
  reply.header('cache-control', 'no-store');
  if (response !== undefined) appendToListHeader(reply, 'vary', 'Accept');
  const language = setLanguageHeaders(operation, reply, result instanceof PreparedJson ? result.language : undefined);
  if (response === undefined) return reply.code(status ?? 204).send();
  if (holdsSecret !== true) allowCompression(reply, 'each');
  const revision = access !== 'anyone' && method === 'GET' ? revisionOf(result) : undefined;
  if (revision !== undefined) {
    const etag = formatEtag(isVariant ? `${revision}.${resultOfRun.variant}` : revision, language);
    const heldEtag = findMatchingEtag(headers['if-none-match'], etag);
    reply.header('etag', heldEtag ?? etag);
    if (heldEtag !== undefined) return reply.code(304).send();
  }
  setLocation(operation, reply, result);
  return reply
    .code(status ?? 200)
    .header('content-type', negotiateJsonType(headers.accept))
    .send(result instanceof PreparedJson ? result.text : JSON.stringify(result));
}

function setLocation({ locationOf }: Operation, reply: FastifyReply, result: unknown): void {
  if (locationOf === undefined) return;
  const answer: unknown = result instanceof PreparedJson ? JSON.parse(result.text) : result;
  reply.header('location', locationOf(answer as never));
}

/** Sets the headers of a response whose language depends on the request. Returns its language. */
export function setLanguageHeaders({ localised }: Operation, reply: FastifyReply, preparedLanguage?: string): string {
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

/** A revision as a strong entity tag; in another language the same revision is another representation. */
const formatEtag = (revision: string, language: string): string =>
  language === 'en' ? `"${revision}"` : `"${revision}.${language}"`;
