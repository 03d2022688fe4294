// Has every answer of the framework followed until it is sent. Large ones are handed over in slices, so that it shows how
// fast the client reads.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { Problem } from '../../lib/problem.ts';
import { isAbandoned, type AnswerStream, type UnsentAnswers } from './unsent-answers.ts';

/** A larger body is sent in slices. A client of the least rate reads so much in one window. */
export const maxWholeBytes = 245_760;

const sliceBytes = 65_536;

const compressorBytes = 1_048_576;

export function boundAnswers(app: FastifyInstance, unsentAnswers: UnsentAnswers): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const { clientAddress } = request.requestContext;
    const whole = request.method === 'HEAD' ? undefined : toLargeBuffer(payload);
    const stream = payload instanceof Readable ? (payload as AnswerStream) : undefined;
    // The framework would wait for ever for an HTTP/2 stream that was reset meanwhile, and what it sends would stay open.
    if (stream !== undefined && isAbandoned(reply.raw)) {
      stream.destroy();
      done(null, null);
      return;
    }
    if (isRefusable(request, reply) && unsentAnswers.isFull(clientAddress, whole?.length ?? stream?.heldBytes)) {
      stream?.destroy();
      done(new Problem('unread-answers'));
      return;
    }
    if (whole === undefined) done(null, payload);
    else {
      const slices = streamSlices(whole);
      reply.header('content-length', String(whole.length));
      done(null, slices);
      unsentAnswers.watchStream(reply.raw, clientAddress, slices);
      return;
    }
    // By now the framework has handed it over.
    if (stream === undefined) unsentAnswers.watch(reply.raw, clientAddress);
    else unsentAnswers.watchStream(reply.raw, clientAddress, stream, bytesOfCompressor(reply));
  });
  app.addHook('onClose', (_app, done) => {
    unsentAnswers.stop();
    done();
  });
}

/** A write may have been committed: its answer is never replaced. */
const isRefusable = ({ method, requestContext }: FastifyRequest, { statusCode }: FastifyReply): boolean =>
  (method === 'GET' || method === 'HEAD') && statusCode < 400 && !requestContext.anyHost;

/** What a compressor keeps beside the stream's own buffers. */
const bytesOfCompressor = (reply: FastifyReply): number => (reply.hasHeader('content-encoding') ? compressorBytes : 0);

function toLargeBuffer(payload: unknown): Buffer | undefined {
  if (Buffer.isBuffer(payload)) return payload.length > maxWholeBytes ? payload : undefined;
  if (typeof payload !== 'string' || payload.length <= maxWholeBytes / 3) return undefined;
  return Buffer.byteLength(payload) > maxWholeBytes ? Buffer.from(payload) : undefined;
}

/** The whole stays in memory until its last slice has been sent. */
export function streamSlices(whole: Buffer): AnswerStream {
  const listSlices = function* (): Generator<Buffer> {
    for (let at = 0; at < whole.length; at += sliceBytes) yield whole.subarray(at, at + sliceBytes);
  };
  return Object.assign(Readable.from(listSlices(), { objectMode: false }), { heldBytes: whole.length });
}
