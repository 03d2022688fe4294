// Limits how many calls run at the same time. A further call is refused at once, or after it has waited in a queue.

type QueuedCall = { start(): void };

export class ConcurrencyLimit {
  readonly #maxConcurrent: number;
  readonly #createRefusal: () => Error;
  readonly #maxWaitMs: number;
  readonly #queue = new Set<QueuedCall>();
  #running = 0;

  /** `createRefusal` makes the error that a call gets that finds no room within `maxWaitMs`. */
  constructor(maxConcurrent: number, createRefusal: () => Error, maxWaitMs = 0) {
    this.#maxConcurrent = maxConcurrent;
    this.#createRefusal = createRefusal;
    this.#maxWaitMs = maxWaitMs;
  }

  /** Runs the work as soon as there is room. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#maxConcurrent) this.#running += 1;
    else if (this.#maxWaitMs > 0) await this.#enqueue();
    else throw this.#createRefusal();
    try {
      return await work();
    } finally {
      this.#release();
    }
  }

  #enqueue(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#queue.delete(waiter);
        reject(this.#createRefusal());
      }, this.#maxWaitMs);
      const waiter: QueuedCall = {
        start: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      this.#queue.add(waiter);
    });
  }

  /** Who has waited longest takes over the place. */
  #release(): void {
    const [next] = this.#queue;
    if (next === undefined) {
      this.#running -= 1;
      return;
    }
    this.#queue.delete(next);
    next.start();
  }
}
