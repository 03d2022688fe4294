// Sends the lines of one stream, in order, one request at a time, and deletes a line only when the service has it.

import { createAttempts, type Next } from './attempts.ts';
import type { Digests } from './digests.ts';
import { takeBatch, type NumberedLine, type StreamName } from './lines.ts';
import { parseAnswer, textOf, type Answer, type Requests } from './requests.ts';
import type { Store } from './store.ts';
import { createStreamEpochs } from './stream-epochs.ts';

/** What the service could not book, and keeps for a manager. */
export type HeldLine = { readonly n: number; readonly code: string; readonly heldKid: string };

type SenderOptions = {
  readonly stream: StreamName;
  readonly store: Store;
  readonly requests: Requests;
  readonly software: string;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly random: () => number;
  readonly digests: () => Digests | undefined;
  readonly onAnswer: (answer: SentAnswer) => void;
};

export type SentAnswer = {
  readonly serverTimeMs: number | undefined;
  readonly held: readonly HeldLine[];
  /** Lists whose digests differ. */
  readonly resync: readonly string[];
};

export type Sender = { sendNext(): Promise<Next>; lastError(): string | undefined };

export function createSender(options: SenderOptions): Sender {
  const { stream, store, requests, random, onAnswer } = options;
  const attempts = createAttempts(random);
  const epochs = createStreamEpochs({ stream, store, requests, attempts });
  let maxLines = 1000;
  let isPositionKnown = false;
  return {
    lastError: attempts.lastError,
    async sendNext() {
      const batch = takeBatch(store.firstLines(stream, maxLines));
      const [first, last] = [batch.at(0), batch.at(-1)];
      if (first === undefined || last === undefined) return 'done';
      if (!isPositionKnown) {
        const next = await epochs.compare();
        isPositionKnown = next === 'more';
        return next;
      }
      store.markSent(stream, last.n);
      const request = { key: store.recall('key'), lines: formatBody(options, batch) };
      const answer = await requests.send('POST', `/equipment/v1/streams/${stream}`, request);
      if (answer.status === 409) return epochs.resolve(answer, first.n);
      if (answer.status === 413 && batch.length > 1) {
        maxLines = Math.ceil(batch.length / 2);
        return 'more';
      }
      const { through } = parseAnswer(answer);
      if (answer.status !== 200 || typeof through !== 'number') return attempts.failed(answer);
      store.deleteThrough(stream, through);
      onAnswer(toSentAnswer(answer));
      return attempts.succeeded();
    },
  };
}

function formatBody(
  { stream, store, software, clock, digests }: SenderOptions,
  batch: readonly NumberedLine[],
): string {
  const header = {
    epoch: store.streamState(stream).epoch,
    first: batch[0]?.n,
    sentAt: new Date(clock()).toISOString(),
    software,
    buffered: store.bufferedCount() - batch.length,
    digests: digests(),
  };
  return [JSON.stringify(header), ...batch.map(({ text }) => text)].join('\n');
}

function toSentAnswer(answer: Answer): SentAnswer {
  const { held, resync } = parseAnswer(answer);
  const serverTimeMs = Date.parse(textOf(answer, 'serverTime') ?? '');
  return {
    serverTimeMs: Number.isNaN(serverTimeMs) ? undefined : serverTimeMs,
    held: (held ?? []) as readonly HeldLine[],
    resync: (resync ?? []) as readonly string[],
  };
}
