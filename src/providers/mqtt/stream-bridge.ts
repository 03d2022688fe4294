// Carries the lines of a computer's stream from the broker to the service, one message after another, and its answers
// back. An answer that says `through` is published only after the service has committed the lines.

import type { EquipmentAnswer, EquipmentRequests } from './equipment-requests.ts';

/** A message that the computer sent, and what the answer must carry so that the computer knows which one it answers. */
type StreamMessage = { readonly lines: Uint8Array; readonly correlationData: Buffer | undefined };

export type StreamBridge = { receive(message: StreamMessage): void };

type StreamBridgeOptions = {
  readonly stream: string;
  readonly requests: EquipmentRequests;
  readonly signal: AbortSignal;
  publishAnswer(answer: string, correlationData: Buffer | undefined): Promise<void>;
};

/** A computer has one request of a stream in flight; a few more may be repeats that the broker has kept. */
const maxWaiting = 4;

export function createStreamBridge({ stream, requests, signal, publishAnswer }: StreamBridgeOptions): StreamBridge {
  let waiting = 0;
  let last: Promise<void> = Promise.resolve();
  const carry = async ({ lines, correlationData }: StreamMessage): Promise<void> => {
    const answer = await requests.postLines(`equipment/v1/streams/${stream}`, lines, signal).catch(() => unreachable);
    if (!signal.aborted) await publishAnswer(formatAnswer(answer), correlationData);
  };
  return {
    receive: (message) => {
      if (waiting >= maxWaiting) {
        void publishAnswer(formatAnswer(busy), message.correlationData);
        return;
      }
      waiting += 1;
      last = last.then(() => carry(message)).finally(() => (waiting -= 1));
    },
  };
}

/** Whether the service has stored the lines is not known: the computer sends them again. */
const unreachable: EquipmentAnswer = {
  status: 503,
  retryAfterSeconds: 10,
  body: JSON.stringify({ code: 'service-unreachable' }),
};

const busy: EquipmentAnswer = { status: 429, retryAfterSeconds: 1, body: JSON.stringify({ code: 'stream-busy' }) };

/** The members of the body, with the status and how long to wait, which a message has no other place for. */
function formatAnswer({ status, retryAfterSeconds, body }: EquipmentAnswer): string {
  const retry = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return JSON.stringify({ status, ...retry, ...parseObject(body) });
}

function parseObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    // What a proxy answers in place of the service is no JSON: the status says enough.
    return {};
  }
}
