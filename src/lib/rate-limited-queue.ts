// Bounds the requests to a provider: how many run at the same time, and how many begin in a second. What cannot begin
// soon is refused. Those that wait take turns by key.

import { setTimeout as sleep } from 'node:timers/promises';
import { FairQueue } from './fair-queue.ts';

export type RateLimitedQueueOptions = {
  readonly requestsPerSecond: number;
  readonly maxConcurrent: number;
  /** A request that waits for longer is refused. */
  readonly maxWaitMs: number;
  /** Makes the error of a request that is refused. */
  readonly createRefusal: () => Error;
};

// A queue that is longer could not be worked off in time either.
const maxWaiting = 100;

export class RateLimitedQueue {
  readonly #options: RateLimitedQueueOptions;
  readonly #queue: FairQueue;
  #nextStartMs = 0;

  constructor(options: RateLimitedQueueOptions) {
    this.#options = options;
    const { maxConcurrent, maxWaitMs, createRefusal } = options;
    this.#queue = new FairQueue({ maxConcurrent, maxWaiting, maxWaitMs, createRefusal });
  }

  /** Runs the request when it is its turn. */
  run<T>(key: string, request: () => Promise<T>): Promise<T> {
    const deadlineMs = performance.now() + this.#options.maxWaitMs;
    return this.#queue.run({ key }, async () => {
      const nowMs = performance.now();
      const startMs = Math.max(nowMs, this.#nextStartMs);
      if (startMs > deadlineMs) throw this.#options.createRefusal();
      this.#nextStartMs = startMs + 1000 / this.#options.requestsPerSecond;
      if (startMs > nowMs) await sleep(startMs - nowMs);
      return request();
    });
  }
}
