// Reads the text messages that a WebSocket server sends (RFC 6455), until it closes, falls silent, or has sent enough. The
// connection has the guard of every request to a provider, and carries no credentials.

import { hash, randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { fail, failureOfError, failureOfStatus, isFailedRequest, openGuardedRequest } from './guarded-request.ts';
import type { FailedRequest } from './guarded-request.ts';
import { formatClientFrame, FrameError, opcodes, parseFrames, type Frame } from './websocket-frames.ts';

export type WebSocketOptions = {
  readonly userAgent: string;
  readonly allowsPrivateAddresses: boolean;
  /** From the look-up of the host to the last message. What has come by then counts. */
  readonly timeoutMs: number;
  /** Once a message has come: how long the next one is waited for, and how long all of them. */
  readonly silenceMs: number;
  readonly listenMs: number;
  readonly maxMessageBytes: number;
  /** Of all that is received, whatever it is: with more the reading ends, and what has come by then counts. */
  readonly maxReadBytes: number;
  readonly onMessage: (message: Buffer) => void;
};

/** `isCut`: it ended because more was sent than is read. */
export type WebSocketAnswer = { readonly ok: true; readonly isCut: boolean } | FailedRequest;

const wholeAnswer: WebSocketAnswer = { ok: true, isCut: false };
const cutAnswer: WebSocketAnswer = { ok: true, isCut: true };

const handshakeSuffix = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** `ws:` is `http:`, `wss:` is `https:`. Never throws. */
export function readWebSocket(url: URL, options: WebSocketOptions): Promise<WebSocketAnswer> {
  const key = randomBytes(16).toString('base64');
  const request = openGuardedRequest(new URL(url.href.replace(/^ws/, 'http')), {
    allowsPrivateAddresses: options.allowsPrivateAddresses,
    headers: {
      'user-agent': options.userAgent,
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': key,
    },
  });
  if (isFailedRequest(request)) return Promise.resolve(request);
  return new Promise((resolve) => {
    // A request that was upgraded has let go of its socket: it no longer closes it.
    let upgraded: Duplex | undefined;
    const end = (answer: WebSocketAnswer): void => {
      clearTimeout(timer);
      resolve(answer);
      request.destroy();
      upgraded?.destroy();
    };
    const timer = setTimeout(
      () => end(upgraded ? wholeAnswer : fail('TransientFailure', `no answer within ${options.timeoutMs} ms`)),
      options.timeoutMs,
    );
    request.on('error', (error) => end(failureOfError(error)));
    request.on('response', ({ statusCode = 0 }) =>
      end(failureOfStatus(statusCode) ?? fail('PermanentFailure', `status ${statusCode} in place of a WebSocket`)),
    );
    request.on('upgrade', (response, socket, head) => {
      upgraded = socket;
      const accept = hash('sha1', key + handshakeSuffix, 'base64');
      if (response.headers['sec-websocket-accept'] === accept)
        readMessages(socket, head, options).then(end, (error: unknown) => end(failureOfError(error)));
      else end(fail('PermanentFailure', 'another answer in place of a WebSocket'));
    });
    request.end();
  });
}

function readMessages(
  socket: Duplex,
  head: Buffer,
  { silenceMs, listenMs, maxMessageBytes, maxReadBytes, onMessage }: WebSocketOptions,
): Promise<WebSocketAnswer> {
  const { promise, resolve } = Promise.withResolvers<WebSocketAnswer>();
  const done = (): void => resolve(wholeAnswer);
  let timers: NodeJS.Timeout[] = [];
  const messages = new MessageReader(maxMessageBytes, {
    onMessage: (message) => {
      const [silence] = timers;
      if (silence === undefined) timers = [setTimeout(done, silenceMs), setTimeout(done, listenMs)];
      else silence.refresh();
      onMessage(message);
    },
    onClose: done,
    send: (frame) => void socket.write(frame),
  });
  let receivedBytes = 0;
  const take = (bytes: Buffer): void => {
    try {
      messages.push(bytes);
      receivedBytes += bytes.length;
      if (receivedBytes > maxReadBytes) resolve(cutAnswer);
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      resolve(fail('TransientFailure', `the WebSocket sent ${error.message}`));
    }
  };
  socket.on('data', take);
  socket.on('error', (error) => resolve(failureOfError(error)));
  // Without a closing frame too: what has come are whole messages.
  socket.on('close', done);
  take(head);
  return promise.finally(() => {
    for (const timer of timers) clearTimeout(timer);
  });
}

type MessageListener = {
  onMessage(message: Buffer): void;
  onClose(): void;
  send(frame: Buffer): void;
};

/** Puts messages together out of their frames. */
class MessageReader {
  readonly #maxBytes: number;
  readonly #listener: MessageListener;
  #rest: Buffer = Buffer.alloc(0);
  #parts: Buffer[] = [];
  #partsBytes = 0;
  #isClosed = false;

  constructor(maxBytes: number, listener: MessageListener) {
    this.#maxBytes = maxBytes;
    this.#listener = listener;
  }

  /** Throws FrameError. */
  push(bytes: Buffer): void {
    const { frames, rest } = parseFrames(Buffer.concat([this.#rest, bytes]), this.#maxBytes);
    this.#rest = rest;
    for (const frame of frames) if (!this.#isClosed) this.#take(frame);
  }

  #take({ opcode, isFinal, payload }: Frame): void {
    if (opcode === opcodes.close) {
      this.#isClosed = true;
      this.#listener.onClose();
    } else if (opcode === opcodes.ping) this.#listener.send(formatClientFrame(opcodes.pong, payload));
    else if (opcode <= opcodes.binary) this.#addPart(payload, isFinal);
    else if (opcode !== opcodes.pong) throw new FrameError('an unknown frame');
  }

  #addPart(payload: Buffer, isFinal: boolean): void {
    this.#partsBytes += payload.length;
    if (this.#partsBytes > this.#maxBytes) throw new FrameError('a message that is too large');
    // Copied: it would keep alive all that was received with it.
    if (payload.length > 0) this.#parts.push(Buffer.from(payload));
    if (!isFinal) return;
    const message = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#partsBytes = 0;
    this.#listener.onMessage(message);
  }
}
