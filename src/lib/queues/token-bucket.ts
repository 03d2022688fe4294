// Counts events by key against an allowance that can be spent at once or gradually, and that comes back steadily. The counts
// are kept in this process, in bounded memory.

import { LRUCache } from 'lru-cache';

type TokenBucketOptions = {
  /** How many events are allowed at once. */
  readonly capacity: number;
  /** After how long one more is allowed. */
  readonly refillSeconds: number;
  /** Milliseconds of a clock that never goes back. */
  readonly monotonic?: () => number;
  readonly maxKeys?: number;
};

export class TokenBucket {
  readonly #capacity: number;
  readonly #refillMs: number;
  readonly #now: () => number;
  readonly #maxKeys: number;
  #madeFullAt: LRUCache<string, number> | undefined;

  constructor({ capacity, refillSeconds, monotonic, maxKeys = 50_000 }: TokenBucketOptions) {
    this.#capacity = capacity;
    this.#refillMs = refillSeconds * 1000;
    const now = monotonic ?? (() => performance.now());
    // Whole numbers add up exactly.
    this.#now = () => Math.floor(now());
    this.#maxKeys = maxKeys;
  }

  /**
   * By key, when the whole allowance will be back: the generic cell rate algorithm. It is created when it is first needed, since
   * it allocates all its memory at once, which would delay a start.
   */
  get #fullAt(): LRUCache<string, number> {
    return (this.#madeFullAt ??= new LRUCache({ max: this.#maxKeys }));
  }

  /** Counts one event, unless the allowance is used up. */
  take(key: string): { readonly allowed: boolean; readonly resetSeconds: number } {
    const now = this.#now();
    const fullAt = Math.max(now, this.#fullAt.get(key) ?? now) + this.#refillMs;
    const waitMs = fullAt - now - this.#capacity * this.#refillMs;
    if (waitMs > 0) return { allowed: false, resetSeconds: Math.ceil(waitMs / 1000) };
    this.#fullAt.set(key, fullAt);
    return { allowed: true, resetSeconds: 0 };
  }

  /** Takes one event back that turned out not to count. */
  giveBack(key: string): void {
    const fullAt = (this.#fullAt.get(key) ?? 0) - this.#refillMs;
    if (fullAt > this.#now()) this.#fullAt.set(key, fullAt);
    else this.#fullAt.delete(key);
  }
}
