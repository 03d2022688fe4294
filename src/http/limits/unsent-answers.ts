// Bounds the answers that wait for slow clients: their bytes for one address and in total, and how slowly an answer may
// be read. A client of usual speed never meets these bounds.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { constants, Http2ServerResponse } from 'node:http2';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { TLSSocket } from 'node:tls';
import type { Logger } from 'pino';
import type { TenantHost } from '../context/tenancy.ts';

export type UnsentLimits = {
  /** How many bytes may wait for one client address, not counting its largest answer, and in total. */
  readonly addressBytes: number;
  readonly totalBytes: number;
  /** The client must read so many bytes of an answer, or the rest of it, in so much time. */
  readonly windowBytes: number;
  readonly windowMs: number;
  readonly checkIntervalMs: number;
};

/** The memory of a streamed answer while it waits: the stream's own buffers, and those of its source. */
const streamBytes = 128 * 1024;

/** `heldBytes` stay in memory until the stream has ended. */
export type AnswerStream = Readable & { readonly heldBytes?: number };

type Answer = {
  readonly address: string;
  /** Undefined if the request was for no tenant. */
  readonly tenantHost: TenantHost | undefined;
  /** The bytes in memory until the answer has been sent. */
  readonly bytes: number;
  readonly response: ServerResponse;
  /** The source of a streamed answer; undefined if the whole answer was handed over at once. */
  readonly source?: Readable;
  /** The bytes that were handed to the response. */
  writtenBytes: number;
  markedBytes: number;
  markedAtMs: number;
  isCut: boolean;
};

type StreamedAnswer = Pick<Answer, 'address' | 'tenantHost'> & {
  readonly source: AnswerStream;
  /** The bytes that are kept in addition to the stream's buffers. */
  readonly compressorBytes: number;
};

export class UnsentAnswers {
  readonly #limits: UnsentLimits;
  readonly #log: Logger;
  readonly #answers = new Set<Answer>();
  readonly #answersByAddress = new Map<string, Set<Answer>>();
  readonly #timer: NodeJS.Timeout;
  #totalBytes = 0;

  constructor(limits: UnsentLimits, log: Logger) {
    this.#limits = limits;
    this.#log = log;
    // One timer for all answers: a timer for each would cost more than sending most of them.
    this.#timer = setInterval(() => this.#cutSlowAnswers(), limits.checkIntervalMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Whether so much waits for the address that no answer may be added. */
  isFull(address: string, bytes = 0): boolean {
    if (this.#totalBytes === 0) return false;
    const answers = this.#answersByAddress.get(address);
    if (answers === undefined) return false;
    const waiting = [...answers].map((answer) => answer.bytes);
    // The largest answer does not count: its own size is bounded elsewhere.
    const counted = waiting.reduce((sum, each) => sum + each, bytes) - Math.max(bytes, ...waiting);
    return counted >= this.#limits.addressBytes;
  }

  /** Watches an answer whose bytes were all handed to the response, unless they were sent at once. */
  watch(response: ServerResponse, address: string, tenantHost: TenantHost | undefined): void {
    const bytes = response.writableLength;
    if (bytes > 0) this.#add({ response, address, tenantHost, bytes, writtenBytes: bytes });
  }

  /** Watches an answer that is streamed. */
  watchStream(response: ServerResponse, { address, tenantHost, source, compressorBytes }: StreamedAnswer): void {
    if (isAbandoned(response)) {
      source.destroy();
      return;
    }
    const bytes = streamBytes + (source.heldBytes ?? 0) + compressorBytes;
    const answer = this.#add({ response, address, tenantHost, bytes, source, writtenBytes: 0 });
    source.on('data', (chunk: Buffer | string) => (answer.writtenBytes += chunk.length));
  }

  #add(given: Omit<Answer, 'markedBytes' | 'markedAtMs' | 'isCut'>): Answer {
    const answer: Answer = { ...given, markedBytes: 0, markedAtMs: performance.now(), isCut: false };
    this.#answers.add(answer);
    this.#totalBytes += answer.bytes;
    this.#answersByAddress.getOrInsertComputed(answer.address, () => new Set()).add(answer);
    answer.response.once('close', () => this.#forget(answer));
    while (this.#totalBytes > this.#limits.totalBytes) {
      const [oldest] = this.#largestAccount() ?? [];
      if (oldest === undefined) break;
      this.#cut(oldest, 'too much waits to be sent');
    }
    return answer;
  }

  #largestAccount(): ReadonlySet<Answer> | undefined {
    const sizeOf = (answers: ReadonlySet<Answer>): number => [...answers].reduce((sum, { bytes }) => sum + bytes, 0);
    let largest: { answers: ReadonlySet<Answer>; bytes: number } | undefined;
    for (const answers of this.#answersByAddress.values()) {
      const bytes = sizeOf(answers);
      if (largest === undefined || bytes > largest.bytes) largest = { answers, bytes };
    }
    return largest?.answers;
  }

  #forget(answer: Answer): void {
    this.#answers.delete(answer);
    const ofAddress = this.#answersByAddress.get(answer.address);
    if (ofAddress?.delete(answer) !== true) return;
    if (ofAddress.size === 0) this.#answersByAddress.delete(answer.address);
    this.#totalBytes -= answer.bytes;
  }

  #cutSlowAnswers(): void {
    const now = performance.now();
    for (const answer of this.#answers) {
      const { response, writtenBytes } = answer;
      const waitingBytes = response.writableLength;
      if (isAbandoned(response)) {
        this.#forget(answer);
        // Nothing else would close the source of the answer.
        answer.source?.destroy();
      } else if (answer.isCut) {
        // Not even the reset of its stream could be sent.
        if (now - answer.markedAtMs >= this.#limits.windowMs) closeConnection(response);
      } else if (waitingBytes === 0 || isBehindOthers(response)) {
        // The client is not slow: nothing waits for it, or earlier answers do.
        answer.markedBytes = writtenBytes - waitingBytes;
        answer.markedAtMs = now;
      } else if (writtenBytes - waitingBytes - answer.markedBytes >= this.#limits.windowBytes) {
        answer.markedBytes = writtenBytes - waitingBytes;
        answer.markedAtMs = now;
      } else if (now - answer.markedAtMs >= this.#limits.windowMs) this.#cut(answer, 'the client reads too slowly');
    }
  }

  #cut(answer: Answer, reason: string): void {
    const { address, tenantHost, bytes } = answer;
    const where = { tenant: tenantHost?.tenant.name, environment: tenantHost?.environment };
    this.#log.info({ clientAddress: address, bytes, reason, ...where }, 'answer cut off');
    this.#forget(answer);
    // The answer stays in this list until it is closed.
    answer.isCut = true;
    answer.markedAtMs = performance.now();
    this.#answers.add(answer);
    answer.response.once('close', () => this.#answers.delete(answer));
    if (isHttp2Response(answer.response)) answer.response.stream.close(constants.NGHTTP2_CANCEL);
    else closeConnection(answer.response);
  }
}

const isHttp2Response = (response: unknown): response is Http2ServerResponse => response instanceof Http2ServerResponse;

/** A pipelined response gets the socket only when all responses before it have ended. */
const isBehindOthers = (response: ServerResponse): boolean => !isHttp2Response(response) && response.socket === null;

/**
 * Whether the client has gone. A response does not always tell: on HTTP/1.1 a response behind others never does, and an
 * HTTP/2 response tells only once, which may have been before anything was sent.
 */
export const isAbandoned = (response: ServerResponse | Http2ServerResponse): boolean =>
  isHttp2Response(response) ? response.stream.destroyed : socketOf(response.req).destroyed;

const socketOf = ({ socket }: IncomingMessage): Socket => socket;

function closeConnection(response: ServerResponse | Http2ServerResponse): void {
  if (isHttp2Response(response)) {
    response.stream.session?.destroy();
    return;
  }
  const socket = socketOf(response.req);
  // A reset drops what the kernel would otherwise continue to send.
  if (socket instanceof TLSSocket || !(socket instanceof Socket)) socket.destroy();
  else socket.resetAndDestroy();
}
