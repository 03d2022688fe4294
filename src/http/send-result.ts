// From an operation's result to bytes: media type, language, caching headers, the revision as a strong ETag.

import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { negotiateLanguage } from '../lib/language.ts';
import type { Operation } from './operation.ts';
import { matchesEtag } from './representation.ts';

const jsonMediaTypes = ['application/json', 'text/json', 'text/plain'];

/** The offered spelling of JSON that the client prefers; JSON as such where it asks for none of them. */
export function negotiateJsonType(accept: string | undefined): string {
  if (accept === undefined || accept === '*/*' || accept === 'application/json')
    return 'application/json; charset=utf-8';
  const [type = 'application/json'] = new Negotiator({ headers: { accept } }).mediaTypes(jsonMediaTypes);
  return `${type}; charset=utf-8`;
}

function revisionOf(result: unknown): string | undefined {
  if (typeof result !== 'object' || result === null || !('revision' in result)) return undefined;
  return typeof result.revision === 'string' ? result.revision : undefined;
}

/** A result whose JSON was made already, from a declared cache or for the first of several equal requests. */
export class PreparedJson {
  readonly text: string;
  /** What it was told in, where that is not what this request asks for. */
  readonly language: string | undefined;

  constructor(text: string, language?: string) {
    this.text = text;
    this.language = language;
  }
}

/** A revision as a strong entity tag; in another language the same revision is another representation. */
const formatEtag = (revision: string, language: string): string =>
  language === 'en' ? `"${revision}"` : `"${revision}.${language}"`;

function appendVary(reply: FastifyReply, field: string): void {
  const fields = reply.getHeader('vary');
  reply.header('vary', fields === undefined ? field : `${String(fields)}, ${field}`);
}

/** The language of the answer, told where it depends on the request. */
export function setLanguageHeaders(
  { localised }: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  preparedLanguage?: string,
): string {
  if (localised !== true) return 'en';
  const language = preparedLanguage ?? negotiateLanguage(request.headers['accept-language']);
  reply.header('content-language', language);
  appendVary(reply, 'Accept-Language');
  return language;
}

/** Sends an operation's result. */
export function sendResult(
  operation: Operation,
  result: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const isManagerOperation = operation.access !== 'anyone';
  reply.header('cache-control', 'no-store');
  if (operation.response !== undefined) appendVary(reply, 'Accept');
  const language = setLanguageHeaders(
    operation,
    request,
    reply,
    result instanceof PreparedJson ? result.language : undefined,
  );
  if (operation.response === undefined) return reply.code(operation.status ?? 204).send();
  const revision = isManagerOperation && operation.method === 'GET' ? revisionOf(result) : undefined;
  if (revision !== undefined) {
    const etag = formatEtag(revision, language);
    reply.header('etag', etag);
    if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
  }
  const text = result instanceof PreparedJson ? result.text : JSON.stringify(result);
  return reply
    .code(operation.status ?? 200)
    .header('content-type', negotiateJsonType(request.headers.accept))
    .send(text);
}
