// The Idempotency-Keys of requests that are being handled by this process.

import { Problem } from '../lib/problem.ts';

export class RunningKeys {
  readonly #requestHashByKey = new Map<string, string>();

  /** Returns what ends the request. Throws 409 while a request with the key runs, 422 if that is another request. */
  begin(key: string, requestHash: string): () => void {
    const running = this.#requestHashByKey.get(key);
    if (running !== undefined)
      throw new Problem(running === requestHash ? 'idempotency-in-progress' : 'idempotency-mismatch');
    this.#requestHashByKey.set(key, requestHash);
    return () => void this.#requestHashByKey.delete(key);
  }
}
