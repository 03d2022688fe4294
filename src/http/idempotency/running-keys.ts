// Remembers the Idempotency-Keys of the requests that this process is handling.

import { Problem } from '../../lib/problem.ts';

export class RunningKeys {
  readonly #requestHashByKey = new Map<string, string>();

  has(key: string): boolean {
    return this.#requestHashByKey.has(key);
  }

  /**
   * Returns a function that ends the request. While a request with the key runs, throws 409, or 422 if that request is
   * a different one.
   */
  begin(key: string, requestHash: string): () => void {
    const running = this.#requestHashByKey.get(key);
    if (running !== undefined)
      throw new Problem(running === requestHash ? 'idempotency-in-progress' : 'idempotency-mismatch');
    this.#requestHashByKey.set(key, requestHash);
    return () => void this.#requestHashByKey.delete(key);
  }
}
