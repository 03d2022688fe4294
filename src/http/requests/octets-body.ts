// Reads the bodies of operations that take octets: as they arrive, decompressed (RFC 9110, 8.4), and never whole in
// memory.

import type { FastifyRequest, preParsingAsyncHookHandler } from 'fastify';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { constants, createGunzip, createZstdDecompress } from 'node:zlib';
import { Problem } from '../../lib/problem.ts';
import { queueKeyOf } from '../context/principal.ts';
import type { Uploads } from '../limits/uploads.ts';
import type { Operation } from '../operations/operation.ts';
import { isManagerOperation, octetsMediaTypes } from '../operations/operation-properties.ts';
import { principalOf, tenantHostOf } from './request-context.ts';

/** The largest window of a sender (RFC 9659): the decoder keeps it in memory. */
const zstdWindowLog = 23;

const decoders: Readonly<Record<string, (() => Transform) | undefined>> = {
  gzip: () => createGunzip(),
  zstd: () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: zstdWindowLog } }),
};

/** Throws for an operation that cannot take octets as it is declared. */
export function requireOctetsDeclaration(operation: Operation): void {
  const { id, acceptsIdempotencyKey, maxBodyBytes } = operation;
  if (!isManagerOperation(operation)) throw new Error(`${id} takes octets, which only operations of managers can`);
  // The key would need a hash of the whole body before the first of it is read.
  if (acceptsIdempotencyKey === true) throw new Error(`${id} takes octets, and so cannot accept an Idempotency-Key`);
  if (maxBodyBytes === undefined) throw new Error(`${id} takes octets, and has to declare how many`);
}

/** Refuses what the operation cannot take before any of it is read, and waits for no other upload. */
export function createUploadHook({ maxBodyBytes = 0 }: Operation, uploads: Uploads): preParsingAsyncHookHandler {
  return async (request, reply) => {
    const { headers, raw, requestContext } = request;
    const mediaType = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
    if (!octetsMediaTypes.includes(mediaType) || !isKnownCoding(codingOf(request)))
      throw new Problem('unsupported-media-type');
    if (Number(headers['content-length']) > maxBodyBytes) throw new Problem('payload-too-large');
    const key = queueKeyOf(tenantHostOf(request).tenant, principalOf(request));
    return uploads.begin(raw, reply.raw, { key, waitingTime: requestContext.waitingTime });
  };
}

const codingOf = ({ headers }: FastifyRequest): string => headers['content-encoding']?.toLowerCase() ?? 'identity';

const isKnownCoding = (coding: string): boolean => coding === 'identity' || Object.hasOwn(decoders, coding);

/** The octets of an upload. Ends with an error wherever they are not whole. */
export async function* readOctets(
  request: FastifyRequest,
  arriving: Readable,
  maxBytes: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { waitingTime } = request.requestContext;
  const decoder = decoders[codingOf(request)]?.();
  // The decoder passes on every error of what arrives, and ends it.
  const stream: Readable = decoder === undefined ? arriving : pipeline(arriving, decoder, () => {});
  const chunks = stream.iterator() as AsyncIterator<Buffer>;
  let bytes = 0;
  try {
    for (;;) {
      const next = await waitingTime.measure(() => chunks.next());
      if (next.done === true) return;
      bytes += next.value.length;
      if (bytes > maxBytes) throw new Problem('payload-too-large');
      yield next.value;
    }
  } catch (error) {
    throw toBodyError(error);
  } finally {
    stream.destroy();
  }
}

const toBodyError = (error: unknown): unknown =>
  /^Z(?:STD)?_/.test((error as NodeJS.ErrnoException).code ?? '')
    ? new Problem('malformed-body', { detail: 'The body cannot be decompressed.', cause: error })
    : error;
