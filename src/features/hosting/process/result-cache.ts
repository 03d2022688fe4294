// Caches the results and failures of a source for a fixed time, in which the source is asked only once. Permissions
// must be checked before.

import { HostingSourceError } from '../../../providers/hosting/hosting.ts';

export type SourceResult<T> = { readonly fetchedAt: number } & (
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false }
);

type ResultCacheOptions = {
  readonly maxAgeMs: number;
  /** Epoch milliseconds. */
  readonly clock: () => number;
};

type Entry<T> = { cachedAtMs: number; readonly result: Promise<SourceResult<T>> };

/** It has few keys: selections that the schemas allow, and tenants of the service. */
export class ResultCache<T> {
  readonly #options: ResultCacheOptions;
  readonly #entries = new Map<string, Entry<T>>();

  constructor(options: ResultCacheOptions) {
    this.#options = options;
  }

  get(key: string, read: () => Promise<T>): Promise<SourceResult<T>> {
    const known = this.#entries.get(key);
    if (known !== undefined && this.#isFresh(known)) return known.result;
    for (const [oldKey, old] of this.#entries) if (!this.#isFresh(old)) this.#entries.delete(oldKey);
    const entry: Entry<T> = { cachedAtMs: Number.POSITIVE_INFINITY, result: this.#read(read) };
    this.#entries.set(key, entry);
    entry.result.then(
      ({ fetchedAt }) => (entry.cachedAtMs = fetchedAt),
      () => {
        if (this.#entries.get(key) === entry) this.#entries.delete(key);
      },
    );
    return entry.result;
  }

  /** Also true while it is being read. The absolute difference limits the age even if the clock is set back. */
  #isFresh({ cachedAtMs }: Entry<T>): boolean {
    if (cachedAtMs === Number.POSITIVE_INFINITY) return true;
    return Math.abs(this.#options.clock() - cachedAtMs) < this.#options.maxAgeMs;
  }

  async #read(read: () => Promise<T>): Promise<SourceResult<T>> {
    const { clock } = this.#options;
    try {
      const value = await read();
      return { ok: true, value, fetchedAt: clock() };
    } catch (error) {
      // Any other error is a defect and is not cached.
      if (!(error instanceof HostingSourceError)) throw error;
      return { ok: false, fetchedAt: clock() };
    }
  }
}
