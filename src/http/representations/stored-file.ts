// Sends a file on disk: the whole file or a range of it (RFC 9110, 14), with a strong ETag, and always with its length.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { Problem } from '../../lib/problem.ts';
import { parseByteRange, type ByteRange } from './byte-range.ts';
import { FileRangeStream } from './file-range-stream.ts';
import { findMatchingEtag, isStrongMatch } from './representation.ts';
import type { StoredFile } from './results.ts';

export async function sendStoredFile(stored: StoredFile, reply: FastifyReply): Promise<FastifyReply> {
  const { file, size, etag, mediaType, headers, isUnchanged } = stored;
  let body: Readable | undefined;
  try {
    requireMatch(reply.request, etag);
    const range = chooseRange(reply.request, size, etag);
    const heldEtag = findMatchingEtag(reply.request.headers['if-none-match'], etag);
    reply.headers({ ...headers, etag: heldEtag ?? etag, 'accept-ranges': 'bytes' });
    if (heldEtag !== undefined) return reply.code(304).send();
    const { first, last } = range ?? { first: 0, last: size - 1 };
    reply.headers({ 'content-type': mediaType, 'content-length': String(last - first + 1) });
    if (range !== undefined) reply.code(206).header('content-range', `bytes ${first}-${last}/${size}`);
    // The framework would read a stream to its end and send none of it.
    if (reply.request.method === 'HEAD') return reply.send(Readable.from([]));
    body = new FileRangeStream({ file, first, last, isUnchanged, reply });
    return reply.send(body);
  } finally {
    if (body === undefined) await file.close();
  }
}

/** Precedes all other conditions (RFC 9110, 13.2.2): a client must not join parts of two files. */
function requireMatch({ headers }: FastifyRequest, etag: string): void {
  const ifMatch = headers['if-match'];
  if (ifMatch !== undefined && !isStrongMatch(ifMatch, etag)) throw new Problem('precondition-failed');
}

/** Throws a Problem if the range is outside the file. A client that already has the file needs no range of it. */
function chooseRange({ method, headers }: FastifyRequest, size: number, etag: string): ByteRange | undefined {
  // Range is defined only for GET (RFC 9110, 14.2); a file that has changed since the first part is sent whole
  // (13.1.5).
  const { range: field, 'if-range': ifRange, 'if-none-match': ifNoneMatch } = headers;
  if (method !== 'GET' || findMatchingEtag(ifNoneMatch, etag) !== undefined) return undefined;
  if (typeof ifRange === 'string' && ifRange.trim() !== etag) return undefined;
  const range = parseByteRange(field, size);
  if (range === 'unsatisfiable')
    throw new Problem('range-not-satisfiable', { headers: { 'content-range': `bytes */${size}` } });
  return range;
}
