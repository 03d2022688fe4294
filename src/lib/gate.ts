// So many at once and no more: whoever comes when the places are taken is refused, at once or after a while in line.

type Waiter = { admit(): void };

export class Gate {
  readonly #places: number;
  readonly #refuse: () => Error;
  readonly #waitMs: number;
  readonly #waiting = new Set<Waiter>();
  #taken = 0;

  /** `refuse` makes what is thrown at who comes too many, and has waited that long. */
  constructor(places: number, refuse: () => Error, waitMs = 0) {
    this.#places = places;
    this.#refuse = refuse;
    this.#waitMs = waitMs;
  }

  /** Does the work in a place of its own. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    if (this.#taken < this.#places) this.#taken += 1;
    else if (this.#waitMs > 0) await this.#inLine();
    else throw this.#refuse();
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  #inLine(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(waiter);
        reject(this.#refuse());
      }, this.#waitMs);
      const waiter: Waiter = {
        admit: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      this.#waiting.add(waiter);
    });
  }

  /** Who has waited longest takes over the place. */
  #leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#taken -= 1;
      return;
    }
    this.#waiting.delete(next);
    next.admit();
  }
}
