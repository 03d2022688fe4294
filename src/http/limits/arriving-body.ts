// The body of a request as a stream that its reader may destroy at any time: the connection stays, so that the request
// can still be answered.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { constants, type Http2ServerRequest, type ServerHttp2Stream } from 'node:http2';
import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { ClientGoneError } from '../context/client-watch.ts';
import { isHttp2 } from '../protocol/http-version.ts';
import { Problem } from '../../lib/problem.ts';
import { limits } from './limits.ts';

const arrivingProperty = Symbol('arriving body');

/** The connection of HTTP/1.1, or the stream of HTTP/2. */
type Carrier = { [arrivingProperty]?: boolean };

/** Whether such a body arrives there. It has a minimum rate in place of the time limit of other requests. */
export const hasArrivingBody = (carrier: object): boolean => (carrier as Carrier)[arrivingProperty] === true;

export class ArrivingBody extends Readable {
  readonly #raw: IncomingMessage;
  #receivedBytes = 0;
  #hasArrived = false;

  constructor(raw: IncomingMessage, response: ServerResponse) {
    super({ highWaterMark: 65_536 });
    this.#raw = raw;
    // Whoever reads gets the error from the iteration; a stream without listeners would end the process.
    this.on('error', () => {});
    afterAnswer(raw, response, () => this.#dropRest());
    const carrier = (http2StreamOf(raw) ?? raw.socket) as Carrier;
    carrier[arrivingProperty] = true;
    raw.pause();
    raw.on('data', (chunk: Buffer) => {
      this.#receivedBytes += chunk.length;
      if (!this.destroyed && !this.push(chunk)) raw.pause();
    });
    raw.on('end', () => {
      carrier[arrivingProperty] = false;
      // An HTTP/2 stream that its client has reset ends as well.
      if (http2StreamOf(raw)?.aborted === true) return;
      this.#hasArrived = true;
      if (!this.destroyed) this.push(null);
    });
    // The parser's errors are problems, also that of a client that ended before its body did; others are the connection's.
    raw.on('error', (error) =>
      this.destroy(error instanceof Problem && !raw.socket.readableEnded ? error : new ClientGoneError()),
    );
    raw.on('close', () => {
      carrier[arrivingProperty] = false;
      if (!this.#hasArrived) this.destroy(new ClientGoneError());
    });
  }

  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  /** All of it was received, though perhaps not read. */
  get hasArrived(): boolean {
    return this.#hasArrived;
  }

  /** Keeps the connection open while nothing moves on it, since the client waits for its reader. */
  touchConnection(): void {
    const stream = http2StreamOf(this.#raw);
    if (stream !== undefined) stream.session?.setTimeout(limits.keepAliveTimeoutMs);
    // A request that the process asks itself has no connection.
    else if (this.#raw.socket instanceof Socket) this.#raw.socket.setTimeout(limits.connectionTimeoutMs);
  }

  override _read(): void {
    this.#raw.resume();
  }

  /**
   * The answer has been sent. A client of HTTP/1.1 may read it only after its whole body was sent: what is left is
   * received, in the time of any other request, and discarded.
   */
  #dropRest(): void {
    this.destroy(new ClientGoneError());
    if (this.#hasArrived) return;
    const stream = http2StreamOf(this.#raw);
    if (stream === undefined) {
      const { socket } = this.#raw;
      const timeout = setTimeout(() => socket.destroy(), limits.requestTimeoutMs).unref();
      this.#raw.once('end', () => clearTimeout(timeout)).once('close', () => clearTimeout(timeout));
    }
    // Node does the same for a body that nobody has begun to read.
    else setImmediate(() => stream.close(constants.NGHTTP2_NO_ERROR));
    this.#raw.resume();
  }
}

/** Calls back when the answer has been handed to the connection, or will never be. */
export function afterAnswer(raw: IncomingMessage, response: ServerResponse, end: () => void): void {
  // An HTTP/2 response is finished only after its request.
  const answer = http2StreamOf(raw) ?? response;
  const endOnce = (): void => {
    answer.off('finish', endOnce).off('close', endOnce);
    end();
  };
  answer.once('finish', endOnce).once('close', endOnce);
}

const http2StreamOf = (raw: IncomingMessage): ServerHttp2Stream | undefined =>
  isHttp2(raw) ? (raw as unknown as Http2ServerRequest).stream : undefined;
