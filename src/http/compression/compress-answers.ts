// Compresses those answers of the framework that may be compressed, for clients that ask for it.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pipeline, Readable } from 'node:stream';
import { tenantHostOf } from '../requests/request-context.ts';
import { resetStream } from '../protocol/reset-stream.ts';
import { compressorOf, type Coding } from './codings.ts';
import { toWeakEtag, type Compressor } from './compressor.ts';

/** Must be called before `boundAnswers`, which counts the compressed bytes. */
export function compressAnswers(app: FastifyInstance, compressor: Compressor): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const acceptEncoding = request.headers['accept-encoding'];
    if (acceptEncoding === undefined || request.requestContext.compression === undefined) {
      done(null, payload);
      return;
    }
    if (payload instanceof Readable) done(null, encodeStream(payload, compressor.choose(acceptEncoding).coding, reply));
    else if (Buffer.isBuffer(payload) || typeof payload === 'string')
      encodeBody(payload, compressor.chooseFor(payload, acceptEncoding), { request, reply, compressor, done });
    else done(null, payload);
  });
}

/** Compresses a stream whatever its length, which is not known. */
function encodeStream(source: Readable, coding: Coding | undefined, reply: FastifyReply): Readable {
  if (coding === undefined) return source;
  setCodingFields(reply, coding);
  // The stream of an answer to HEAD is empty and stays empty.
  if (reply.request.method === 'HEAD') return source;
  const compressed = compressorOf(coding).createStream();
  // The source failed after some compressed bytes may have been sent: only a reset tells the client.
  compressed.once('error', () => resetStream(reply));
  // An error of either stream reaches the framework through the compressed one, and destroying that one destroys both.
  pipeline(source, compressed, () => {});
  return compressed;
}

type EncodeBodyContext = {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly compressor: Compressor;
  readonly done: (error: Error | null, payload?: unknown) => void;
};

function encodeBody(
  body: Buffer | string,
  coding: Coding | undefined,
  { request, reply, compressor, done }: EncodeBodyContext,
): void {
  if (coding === undefined) {
    done(null, body);
    return;
  }
  const finish = (compressed: Buffer): void => {
    setCodingFields(reply, coding);
    done(null, compressed);
  };
  const etag = reply.getHeader('etag');
  const compressed =
    request.requestContext.compression === 'stored' && typeof etag === 'string'
      ? compressor.compressStored({ tenantHost: tenantHostOf(request), etag, body }, coding)
      : compressor.compress(body, coding);
  if (compressed instanceof Promise) compressed.then(finish, done);
  else finish(compressed);
}

function setCodingFields(reply: FastifyReply, coding: Coding): void {
  reply.header('content-encoding', coding);
  const etag = reply.getHeader('etag');
  if (typeof etag === 'string') reply.header('etag', toWeakEtag(etag));
}
