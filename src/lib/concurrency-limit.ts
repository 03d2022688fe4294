// Limits how many calls run at the same time. A further call is refused at once, or after it has waited in a queue.

import { TurnQueue, type GroupPath } from './turn-queue.ts';

type QueuedCall = { start(): void };

export class ConcurrencyLimit {
  readonly #maxConcurrent: number;
  readonly #createRefusal: () => Error;
  readonly #maxWaitMs: number;
  readonly #queue = new TurnQueue<QueuedCall>();
  #running = 0;

  /** `createRefusal` makes the error that a call gets that finds no room within `maxWaitMs`. */
  constructor(maxConcurrent: number, createRefusal: () => Error, maxWaitMs = 0) {
    this.#maxConcurrent = maxConcurrent;
    this.#createRefusal = createRefusal;
    this.#maxWaitMs = maxWaitMs;
  }

  /**
   * Runs the work as soon as there is room. Among those that wait, groups (such as tenants and managers) take turns. When
   * the signal aborts, a call that waits leaves the queue with its reason; work that has begun sees to the signal itself.
   */
  async run<T>(work: () => Promise<T>, group: GroupPath = [], signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (this.#running < this.#maxConcurrent) this.#running += 1;
    else if (this.#maxWaitMs > 0) await this.#enqueue(group, signal);
    else throw this.#createRefusal();
    try {
      return await work();
    } finally {
      this.#release();
    }
  }

  #enqueue(group: GroupPath, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const stopWaiting = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      const leave = (reason: unknown): void => {
        stopWaiting();
        this.#queue.delete(call, group);
        reject(reason);
      };
      const onAbort = (): void => leave(signal?.reason);
      const timer = setTimeout(() => leave(this.#createRefusal()), this.#maxWaitMs);
      const call: QueuedCall = {
        start: () => {
          stopWaiting();
          resolve();
        },
      };
      signal?.addEventListener('abort', onAbort);
      this.#queue.add(call, group);
    });
  }

  /** The call whose turn it is takes over the place. */
  #release(): void {
    const next = this.#queue.shift();
    if (next === undefined) this.#running -= 1;
    else next.start();
  }
}
