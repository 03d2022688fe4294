// Brings the numbers of a stream and those of the service together again, after one of them has lost its memory. What is
// still here gets new numbers; the service recognises by their `ref` the events that it has.

import type { Attempts, Next } from './attempts.ts';
import type { StreamName } from './lines.ts';
import { parseAnswer, textOf, type Answer, type Requests } from './requests.ts';
import type { Store } from './store.ts';

export type StreamEpochs = {
  /** Looks where the service stands, before the first lines are sent. */
  compare(): Promise<Next>;
  /** What 409 says. `first` is the first line that is still here. */
  resolve(conflict: Answer, first: number): Promise<Next>;
};

type StreamEpochsOptions = {
  readonly stream: StreamName;
  readonly store: Store;
  readonly requests: Requests;
  readonly attempts: Attempts;
};

type Position = { readonly stream: string; readonly epoch: string | null; readonly through: number };

export function createStreamEpochs({ stream, store, requests, attempts }: StreamEpochsOptions): StreamEpochs {
  const reasonName = `${stream}.reason`;
  const announce = async (): Promise<Next> => {
    const { epoch } = store.streamState(stream);
    const reason = store.recall(reasonName) ?? 'a new memory';
    const request = { key: store.recall('key'), json: { epoch, reason } };
    const answer = await requests.send('POST', `/equipment/v1/streams/${stream}/epoch`, request);
    if (answer.status === 200) return attempts.succeeded();
    // An older memory has come back.
    if (textOf(answer, 'code') === 'epoch-used') store.beginEpoch(stream);
    return attempts.failed(answer);
  };
  const begin = (reason: string): Promise<Next> => {
    store.transaction(() => {
      store.remember(reasonName, reason);
      store.beginEpoch(stream);
    });
    return announce();
  };
  return {
    async compare() {
      const answer = await requests.send('GET', '/equipment/v1/streams', { key: store.recall('key') });
      if (answer.status !== 200) return attempts.failed(answer);
      const { epoch, sent } = store.streamState(stream);
      const streams = (parseAnswer(answer)['streams'] ?? []) as readonly Position[];
      const position = streams.find((each) => each.stream === stream);
      // The service has lines that this memory never sent: it would take the next ones for repeats of them.
      if (position?.epoch === epoch && position.through > sent) return begin('the memory was set back');
      return attempts.succeeded();
    },
    async resolve(conflict, first) {
      const code = textOf(conflict, 'code');
      if (code === 'unknown-epoch') return announce();
      if (code !== 'stream-gap') return attempts.failed(conflict);
      const expected = Number(parseAnswer(conflict)['expected']);
      // The next request begins at the first line that is here; the service skips what it has.
      return expected >= first ? attempts.succeeded() : begin(`the service lost the lines from ${expected}`);
    },
  };
}
