// Sends a success that every cache may store, such as an image, with its validators: a client that still has it gets 304
// without a body (RFC 9110, 13).

import type { FastifyReply, FastifyRequest } from 'fastify';

export type Representation = {
  /** A text is sent as UTF-8. */
  readonly body: Buffer | string;
  /** The media type, as Content-Type has it. */
  readonly mediaType: string;
  /** A strong entity tag, with its quotes. */
  readonly etag: string;
  /** Epoch milliseconds; Last-Modified is left out without it. */
  readonly lastModifiedMs?: number;
  /** How long clients and caches may store it. */
  readonly maxAgeSeconds: number;
  /** This is the first request for it: most are never requested again. */
  readonly isNewlyRendered?: boolean;
};

/** Sends it, or 304 if the client has it already. */
export function sendRepresentation(
  representation: Representation,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { body, etag, lastModifiedMs } = representation;
  const fields = representationFields(representation);
  for (let at = 0; at < fields.length; at += 2) reply.header(fields[at] ?? '', fields[at + 1]);
  if (isNotModified(request, etag, lastModifiedMs)) return reply.removeHeader('content-type').code(304).send();
  return reply.send(body);
}

/** Names and values, in turns, of the header fields that describe it. */
export function representationFields({ mediaType, etag, lastModifiedMs, maxAgeSeconds }: Representation): string[] {
  const fields = ['cache-control', `public, max-age=${maxAgeSeconds}`, 'etag', etag, 'content-type', mediaType];
  if (lastModifiedMs !== undefined) fields.push('last-modified', new Date(lastModifiedMs).toUTCString());
  return fields;
}

/** Whether the client has this very one. If-Modified-Since counts only without If-None-Match (RFC 9110, 13.2.2). */
function isNotModified({ headers }: FastifyRequest, etag: string, lastModifiedMs: number | undefined): boolean {
  const ifNoneMatch = headers['if-none-match'];
  if (ifNoneMatch !== undefined) return matchesEtag(ifNoneMatch, etag);
  const since = headers['if-modified-since'];
  // A date is in whole seconds. An invalid one is ignored.
  return (
    since !== undefined && lastModifiedMs !== undefined && Math.floor(lastModifiedMs / 1000) * 1000 <= Date.parse(since)
  );
}

/** Whether If-None-Match has the entity tag, by weak comparison (RFC 9110, 13.1.2). */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return (ifNoneMatch.match(/(?:W\/)?"[^"]*"/g) ?? []).some((each) => each.replace(/^W\//, '') === etag);
}
