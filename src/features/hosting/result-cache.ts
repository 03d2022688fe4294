// Keeps what was read of a source, or that it failed, for a fixed time: within it the source is asked once, whoever asks.
// Permissions are checked before any of it.

export type SourceResult<T> = { readonly fetchedAt: number } & (
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false }
);

export type ResultCacheOptions = {
  readonly maxAgeMs: number;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** Whether an error says that the source failed; any other is thrown, and not kept. */
  readonly isFailure: (error: unknown) => boolean;
};

type Entry<T> = { keptAtMs: number; readonly result: Promise<SourceResult<T>> };

/** Its keys are few: selections that the schemas allow, and tenants of the service. */
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
    const entry: Entry<T> = { keptAtMs: Number.POSITIVE_INFINITY, result: this.#read(read) };
    this.#entries.set(key, entry);
    entry.result.then(
      ({ fetchedAt }) => (entry.keptAtMs = fetchedAt),
      () => {
        if (this.#entries.get(key) === entry) this.#entries.delete(key);
      },
    );
    return entry.result;
  }

  /** While it is being read too. A clock that was set back would keep it for longer. */
  #isFresh({ keptAtMs }: Entry<T>): boolean {
    if (keptAtMs === Number.POSITIVE_INFINITY) return true;
    return Math.abs(this.#options.clock() - keptAtMs) < this.#options.maxAgeMs;
  }

  async #read(read: () => Promise<T>): Promise<SourceResult<T>> {
    const { clock, isFailure } = this.#options;
    try {
      const value = await read();
      return { ok: true, value, fetchedAt: clock() };
    } catch (error) {
      if (!isFailure(error)) throw error;
      return { ok: false, fetchedAt: clock() };
    }
  }
}
