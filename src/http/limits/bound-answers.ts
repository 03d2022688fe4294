// Lets UnsentAnswers watch every answer of the framework until it is sent. A large answer is written in slices, which
// show how fast the client reads.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { Problem } from '../../lib/problem.ts';
import { isAbandoned, type AnswerStream, type UnsentAnswers } from './unsent-answers.ts';

/** A larger body is sent in slices. A client that reads at the minimum rate reads this much in one window. */
const maxWholeBytes = 245_760;

const sliceBytes = 65_536;

const compressorBytes = 1_048_576;

export function boundAnswers(app: FastifyInstance, unsentAnswers: UnsentAnswers): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const { clientAddress: address, tenantHost } = request.requestContext;
    const whole = request.method === 'HEAD' ? undefined : toLargeBuffer(payload);
    const stream = payload instanceof Readable ? (payload as AnswerStream) : undefined;
    // The framework would wait forever for an HTTP/2 stream that was reset meanwhile, and the source would stay open.
    if (stream !== undefined && isAbandoned(reply.raw)) {
      stream.destroy();
      done(null, null);
      return;
    }
    if (isRefusable(request, reply) && unsentAnswers.isFull(address, whole?.length ?? stream?.heldBytes)) {
      stream?.destroy();
      done(new Problem('unread-answers'));
      return;
    }
    if (whole === undefined) done(null, payload);
    else {
      const slices = streamSlices(whole);
      reply.header('content-length', String(whole.length));
      done(null, slices);
      unsentAnswers.watchStream(reply.raw, { address, tenantHost, source: slices, compressorBytes: 0 });
      return;
    }
    // The framework has handed the payload to the response before these calls look at it.
    if (stream === undefined) unsentAnswers.watch(reply.raw, address, tenantHost);
    else {
      const ofCompressor = bytesOfCompressor(reply);
      unsentAnswers.watchStream(reply.raw, { address, tenantHost, source: stream, compressorBytes: ofCompressor });
    }
  });
  app.addHook('onClose', (_app, done) => {
    unsentAnswers.stop();
    done();
  });
}

/** A write may have been committed: its answer is never replaced. */
const isRefusable = ({ method, requestContext }: FastifyRequest, { statusCode }: FastifyReply): boolean =>
  (method === 'GET' || method === 'HEAD') && statusCode < 400 && !requestContext.anyHost;

/** The bytes that a compressor keeps in addition to the stream's own buffers. */
const bytesOfCompressor = (reply: FastifyReply): number => (reply.hasHeader('content-encoding') ? compressorBytes : 0);

function toLargeBuffer(payload: unknown): Buffer | undefined {
  if (Buffer.isBuffer(payload)) return payload.length > maxWholeBytes ? payload : undefined;
  if (typeof payload !== 'string' || payload.length <= maxWholeBytes / 3) return undefined;
  return Buffer.byteLength(payload) > maxWholeBytes ? Buffer.from(payload) : undefined;
}

/** The whole body stays in memory until its last slice has been sent. */
function streamSlices(whole: Buffer): AnswerStream {
  const listSlices = function* (): Generator<Buffer> {
    for (let index = 0; index < whole.length; index += sliceBytes) yield whole.subarray(index, index + sliceBytes);
  };
  return Object.assign(Readable.from(listSlices(), { objectMode: false }), { heldBytes: whole.length });
}
