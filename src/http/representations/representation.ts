// Sends a success that every cache may store, such as an image, with its validators: a client that has the current one
// gets 304 without a body (RFC 9110, 13).

import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { DeflatedBytes, type CachedBody } from '../../lib/bytes/deflated-bytes.ts';
import { allowCompression, isCompressibleType } from './allow-compression.ts';

export type Representation = {
  /** Text is sent as UTF-8; deflated bytes are inflated first. */
  readonly body: CachedBody;
  /** The media type, as in Content-Type. */
  readonly mediaType: string;
  /** An entity tag, with its quotes: a strong one unless the body is compressed. */
  readonly etag: string;
  /** The body is compressed. */
  readonly contentCoding?: string;
  /** Epoch milliseconds; without it, Last-Modified is left out. */
  readonly lastModifiedMs?: number;
  /** How long clients and caches may store it. */
  readonly maxAgeSeconds: number;
  /** This is the first request for it: most are never requested again. */
  readonly isNewlyRendered?: boolean;
};

/** Sends the representation, or 304 if the client already has it. */
export function sendRepresentation(
  representation: Representation,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { body, etag, mediaType, lastModifiedMs, isNewlyRendered } = representation;
  if (isCompressibleType(mediaType)) allowCompression(reply, isNewlyRendered === true ? 'each' : 'stored');
  const fields = representationFields(representation);
  for (let index = 0; index < fields.length; index += 2) reply.header(fields[index] ?? '', fields[index + 1]);
  const heldEtag = findHeldEtag(request, etag, lastModifiedMs);
  if (heldEtag !== undefined) return reply.removeHeader('content-type').header('etag', heldEtag).code(304).send();
  if (!(body instanceof DeflatedBytes)) return reply.send(body);
  reply.header('content-length', String(body.inflatedBytes));
  // For HEAD, the framework would read a stream to its end and send none of it.
  return reply.send(request.method === 'HEAD' ? Readable.from([]) : body.inflate());
}

/** Names and values, alternating, of the header fields that describe the representation. */
function representationFields(representation: Representation): string[] {
  const { mediaType, etag, contentCoding, lastModifiedMs, maxAgeSeconds } = representation;
  const fields = ['cache-control', `public, max-age=${maxAgeSeconds}`, 'etag', etag, 'content-type', mediaType];
  if (lastModifiedMs !== undefined) fields.push('last-modified', new Date(lastModifiedMs).toUTCString());
  if (contentCoding !== undefined) fields.push('content-encoding', contentCoding);
  return fields;
}

/**
 * The entity tag of the representation that the client has, if it is still current. If-Modified-Since counts only
 * without If-None-Match (RFC 9110, 13.2.2).
 */
function findHeldEtag(
  { headers }: FastifyRequest,
  etag: string,
  lastModifiedMs: number | undefined,
): string | undefined {
  const ifNoneMatch = headers['if-none-match'];
  if (ifNoneMatch !== undefined) return findMatchingEtag(ifNoneMatch, etag);
  const since = headers['if-modified-since'];
  if (since === undefined || lastModifiedMs === undefined) return undefined;
  // A date is in whole seconds. An invalid one is ignored.
  return Math.floor(lastModifiedMs / 1000) * 1000 <= Date.parse(since) ? etag : undefined;
}

/**
 * The entity tag in If-None-Match that equals this one by weak comparison (RFC 9110, 13.1.2). A 304 repeats the
 * client's tag, weak or strong, so that a cache finds what it has stored (RFC 9111, 4.3.4).
 */
export function findMatchingEtag(ifNoneMatch: string | undefined, etag: string): string | undefined {
  if (ifNoneMatch === undefined) return undefined;
  if (ifNoneMatch.trim() === '*') return etag;
  return listEtags(ifNoneMatch).find((each) => each.replace(/^W\//, '') === etag);
}

/** Whether If-Match names the entity tag, by strong comparison (RFC 9110, 13.1.1). */
export const isStrongMatch = (ifMatch: string, etag: string): boolean =>
  ifMatch.trim() === '*' || (!etag.startsWith('W/') && listEtags(ifMatch).includes(etag));

const listEtags = (field: string): readonly string[] => field.match(/(?:W\/)?"[^"]*"/g) ?? [];
