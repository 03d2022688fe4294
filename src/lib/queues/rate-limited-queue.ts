// Limits the requests to a provider: how many run at the same time, and how many begin in a second.

import { setTimeout as sleep } from 'node:timers/promises';
import { FairQueue, type Turn } from './fair-queue.ts';

export type RateLimitedQueueOptions = {
  readonly requestsPerSecond: number;
  readonly maxConcurrent: number;
  /** A request that waits for longer is refused. */
  readonly maxWaitMs: number;
  /** Makes the error of a request that is refused. */
  readonly createRefusal: () => Error;
};

// Requests in a longer queue could not begin in time anyway.
const maxWaiting = 100;

/** A request that cannot begin soon is refused. Requests that wait take turns by key. */
export class RateLimitedQueue {
  readonly #options: RateLimitedQueueOptions;
  readonly #queue: FairQueue;
  #nextStartMs = 0;
  #lastBegunMs = Number.NEGATIVE_INFINITY;
  /** Resolves when the request that has the turn before has begun. */
  #begun: Promise<void> = Promise.resolve();

  constructor(options: RateLimitedQueueOptions) {
    this.#options = options;
    const { maxConcurrent, maxWaitMs, createRefusal } = options;
    this.#queue = new FairQueue({ maxConcurrent, maxWaiting, maxWaitMs, createRefusal });
  }

  /** Runs the request when it is its turn. */
  run<T>(request: () => Promise<T>, turn?: Turn): Promise<T> {
    const deadlineMs = performance.now() + this.#options.maxWaitMs;
    return this.#queue.run(async () => {
      const nowMs = performance.now();
      const startMs = Math.max(nowMs, this.#nextStartMs);
      if (startMs > deadlineMs) throw this.#options.createRefusal();
      const intervalMs = 1000 / this.#options.requestsPerSecond;
      this.#nextStartMs = startMs + intervalMs;
      const previous = this.#begun;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#begun = promise;
      await previous;
      // On a busy machine the previous one may have begun late.
      await sleepUntil(Math.max(startMs, this.#lastBegunMs + intervalMs));
      try {
        return request();
      } finally {
        this.#lastBegunMs = performance.now();
        resolve();
      }
    }, turn);
  }
}

/** A timer may fire a millisecond early. */
async function sleepUntil(atMs: number): Promise<void> {
  for (let leftMs = atMs - performance.now(); leftMs > 0; leftMs = atMs - performance.now()) await sleep(leftMs);
}
