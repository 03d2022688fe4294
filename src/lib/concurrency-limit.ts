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

  /** Runs the work as soon as there is room. Among those that wait, groups (such as tenants and managers) take turns. */
  async run<T>(work: () => Promise<T>, group: GroupPath = []): Promise<T> {
    if (this.#running < this.#maxConcurrent) this.#running += 1;
    else if (this.#maxWaitMs > 0) await this.#enqueue(group);
    else throw this.#createRefusal();
    try {
      return await work();
    } finally {
      this.#release();
    }
  }

  #enqueue(group: GroupPath): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#queue.delete(call, group);
        reject(this.#createRefusal());
      }, this.#maxWaitMs);
      const call: QueuedCall = {
        start: () => {
          clearTimeout(timer);
          resolve();
        },
      };
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
