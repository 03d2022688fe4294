// Counts events by key in fixed windows of time: requests of an address or a principal, wrong codes of an address.
// The counts are kept in this process, in bounded memory.

import { LRUCache } from 'lru-cache';

export type WindowState = { readonly allowed: boolean; readonly remaining: number; readonly resetSeconds: number };

type WindowCount = { used: number; readonly endsAt: number };

export class FixedWindow {
  readonly limit: number;
  readonly windowSeconds: number;
  readonly #now: () => number;
  readonly #maxKeys: number;
  #madeCounts: LRUCache<string, WindowCount> | undefined;

  /** `now` returns milliseconds of a monotonic clock. */
  constructor(limit: number, windowSeconds: number, now: () => number = () => performance.now(), maxKeys = 50_000) {
    this.limit = limit;
    this.windowSeconds = windowSeconds;
    this.#now = now;
    this.#maxKeys = maxKeys;
  }

  /** Created on first use, since it allocates its memory at once and would delay the start. */
  get #counts(): LRUCache<string, WindowCount> {
    return (this.#madeCounts ??= new LRUCache({ max: this.#maxKeys }));
  }

  /** Counts one event, unless the limit is used up already. */
  take(key: string): WindowState {
    const now = this.#now();
    let count = this.#counts.get(key);
    if (count === undefined || count.endsAt <= now) {
      count = { used: 0, endsAt: now + this.windowSeconds * 1000 };
      this.#counts.set(key, count);
    }
    const allowed = count.used < this.limit;
    if (allowed) count.used += 1;
    // The clock has fractions of milliseconds, and their sums are not exact.
    const resetSeconds = Math.ceil(Math.round(count.endsAt - now) / 1000);
    return { allowed, remaining: this.limit - count.used, resetSeconds };
  }

  /** Takes back one event that turned out not to count. */
  giveBack(key: string): void {
    const count = this.#counts.get(key);
    if (count === undefined) return;
    count.used -= 1;
    // A key without events must not take memory from others.
    if (count.used <= 0) this.#counts.delete(key);
  }

  forget(key: string): void {
    this.#counts.delete(key);
  }
}
