// Reads the text messages that a WebSocket server sends, until it closes, falls silent, or has sent enough. The
// connection is guarded like every request to a provider, and carries no credentials.

import { WebSocket } from 'ws';
import { fail, failureOfError, failureOfStatus, guardConnection, type FailedRequest } from './guarded-request.ts';

type WebSocketOptions = {
  readonly userAgent: string;
  readonly allowsPrivateAddresses: boolean;
  /** From the look-up of the host to the last message. Messages that arrived before the timeout count. */
  readonly timeoutMs: number;
  /** After the first message: the longest wait for the next one, and for all of them. */
  readonly silenceMs: number;
  readonly listenMs: number;
  readonly maxMessageBytes: number;
  /** Bounds all received bytes, of messages or not. Beyond it the reading ends; earlier messages count. */
  readonly maxReadBytes: number;
  readonly onMessage: (message: Buffer) => void;
};

/** `isCut`: the reading ended because the server sent more than the bound. */
type WebSocketAnswer = { readonly ok: true; readonly isCut: boolean } | FailedRequest;

const wholeAnswer: WebSocketAnswer = { ok: true, isCut: false };
const cutAnswer: WebSocketAnswer = { ok: true, isCut: true };

/** Never throws. */
export function readWebSocket(url: URL, options: WebSocketOptions): Promise<WebSocketAnswer> {
  const { timeoutMs, silenceMs, listenMs, maxMessageBytes, maxReadBytes, onMessage } = options;
  const guard = guardConnection(url, options.allowsPrivateAddresses);
  if ('failure' in guard) return Promise.resolve(guard);
  const socket = new WebSocket(url, {
    ...guard,
    headers: { 'user-agent': options.userAgent },
    maxPayload: maxMessageBytes,
    // The bound on all received bytes also bounds fragments.
    maxFragments: 0,
    maxBufferedChunks: 0,
    perMessageDeflate: false,
    skipUTF8Validation: true,
  });
  return new Promise((resolve) => {
    let isOpen = false;
    const timers = [
      setTimeout(
        () => end(isOpen ? wholeAnswer : fail('TransientFailure', `no answer within ${timeoutMs} ms`)),
        timeoutMs,
      ),
    ];
    let silence: NodeJS.Timeout | undefined;
    const end = (answer: WebSocketAnswer): void => {
      for (const timer of timers) clearTimeout(timer);
      resolve(answer);
      socket.terminate();
    };
    const finish = (): void => end(wholeAnswer);
    socket.on('upgrade', ({ socket: connection }) => {
      let receivedBytes = 0;
      // Not earlier: a listener would consume the first bytes before the WebSocket itself listens.
      socket.on('open', () => {
        isOpen = true;
        connection.on('data', ({ length }: Buffer) => {
          receivedBytes += length;
          if (receivedBytes > maxReadBytes) end(cutAnswer);
        });
      });
    });
    socket.on('message', (message: Buffer) => {
      if (silence === undefined) timers.push((silence = setTimeout(finish, silenceMs)), setTimeout(finish, listenMs));
      else silence.refresh();
      onMessage(message);
    });
    socket.on('unexpected-response', (_request, { statusCode = 0 }) =>
      end(failureOfStatus(statusCode) ?? fail('PermanentFailure', `status ${statusCode} instead of a WebSocket`)),
    );
    socket.on('error', (error) => end(failureOfWebSocketError(error)));
    // Also without a closing frame: every message that arrived is complete.
    socket.on('close', finish);
  });
}

/** Distinguishes an error of the connection from one in what the server sent. */
function failureOfWebSocketError(error: NodeJS.ErrnoException): FailedRequest {
  if (error.code?.startsWith('WS_ERR_') === true)
    return fail('TransientFailure', `the WebSocket sent invalid data: ${error.code}`);
  return error.message.startsWith('Invalid Sec-WebSocket') || error.message.startsWith('Invalid Upgrade')
    ? fail('PermanentFailure', 'another answer instead of a WebSocket')
    : failureOfError(error);
}
