// Measures how long a request has waited for something to happen: it had no work to do in that time.

export class WaitingTime {
  #endedMs = 0;
  #since: number | undefined;

  /** Runs what waits. A request waits for one thing at a time. */
  async measure<T>(wait: () => Promise<T>): Promise<T> {
    this.#since = performance.now();
    try {
      return await wait();
    } finally {
      this.#endedMs += performance.now() - this.#since;
      this.#since = undefined;
    }
  }

  /** Milliseconds, also while the request still waits: its client may go away. */
  get elapsedMs(): number {
    return this.#endedMs + (this.#since === undefined ? 0 : performance.now() - this.#since);
  }
}
