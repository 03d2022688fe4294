// Compresses the answers of the framework that may be, for clients that ask for it.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pipeline, Readable } from 'node:stream';
import { tenantHostOf } from '../context/request-context.ts';
import { resetStream } from '../reset-stream.ts';
import { coderOf, type Coding } from './codings.ts';
import { toWeakEtag, type Compressor } from './compressor.ts';

/** Comes before what counts the bytes that wait for a client: those are the compressed ones. */
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

/** How long a stream will be is not known: it is compressed whatever its length. */
function encodeStream(source: Readable, coding: Coding | undefined, reply: FastifyReply): Readable {
  if (coding === undefined) return source;
  setCodingFields(reply, coding);
  // Its stream is empty, and stays so.
  if (reply.request.method === 'HEAD') return source;
  const compressed = coderOf(coding).createStream();
  // What has been compressed so far may have been sent since the source failed: only now is it known.
  compressed.once('error', () => resetStream(reply));
  // The framework hears from the compressed stream of an error of either, and by destroying it destroys both.
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
