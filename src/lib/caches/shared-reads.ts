// Lets requests that ask for the same thing at the same time share one read.

type SharedRead<T> = {
  readonly running: Promise<T>;
  next: Promise<T> | undefined;
  /** The read of the newest request that waits: it has the most time left, and the latest time of now. */
  read: () => Promise<T>;
};

/**
 * A request never gets a read that began before the request: such a read would miss what was committed in between.
 * While a read runs, all other requests wait for the next read together.
 */
export class SharedReads<T> {
  readonly #reads = new Map<string, SharedRead<T>>();

  /** `read` begins at once, or, if nobody asks later, when the one that runs has ended. */
  get(key: string, read: () => Promise<T>): Promise<T> {
    const current = this.#reads.get(key);
    if (current === undefined) return this.#start(key, read);
    current.read = read;
    const startNext = (): Promise<T> => this.#start(key, current.read);
    current.next ??= current.running.then(startNext, startNext);
    return current.next;
  }

  #start(key: string, read: () => Promise<T>): Promise<T> {
    const running = read();
    const shared: SharedRead<T> = { running, next: undefined, read };
    this.#reads.set(key, shared);
    // Those who wait start the next read, which replaces this one.
    const end = (): void => {
      if (shared.next === undefined) this.#reads.delete(key);
    };
    running.then(end, end);
    return running;
  }
}
