// Counts the requests of principals in minutes of the clock, each together with what other processes have counted of
// the same principal.

import { LRUCache } from 'lru-cache';
import { toMs2000 } from '../../lib/time/ms2000.ts';
import type { WindowState } from './fixed-window.ts';

export const countedWindowMs = 60_000;
const maxCounts = 50_000;

export type SharedCount = {
  readonly tenant: string;
  readonly principal: string;
  /** MS2000: the minute, the same for all processes. */
  readonly windowStart: number;
  /** By the monotonic clock: whatever happens to the other one, nobody waits longer than a window. */
  readonly endsAtMs: number;
  usedHere: number;
  /** The requests that other processes are known to have counted. */
  usedElsewhere: number;
  /** The use at which it is exchanged next; infinite while that is under way. */
  exchangeAt: number;
};

type SharedWindowOptions = {
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** Is called with a count that is to be exchanged. */
  readonly onDue: (count: SharedCount) => void;
  /** Milliseconds that never go back. */
  readonly monotonic?: () => number;
};

/**
 * The requests of a principal who sends few requests are counted in this process alone. From a twentieth of the limit
 * on, this process exchanges the count with the other processes after each sixtieth of the limit: once a second at the
 * rate that the limit allows.
 */
export class SharedWindow {
  readonly limit: number;
  readonly windowSeconds = countedWindowMs / 1000;
  readonly #options: SharedWindowOptions;
  readonly #monotonic: () => number;
  #madeCounts: LRUCache<string, SharedCount> | undefined;

  constructor(limit: number, options: SharedWindowOptions) {
    this.limit = limit;
    this.#options = options;
    this.#monotonic = options.monotonic ?? (() => performance.now());
  }

  /** Created on first use, since it allocates its memory at once and would delay the start. */
  get #counts(): LRUCache<string, SharedCount> {
    return (this.#madeCounts ??= new LRUCache({ max: maxCounts }));
  }

  /** Counts one request, unless the limit is used up already. */
  take(tenant: string, principal: string): WindowState {
    const nowMs = this.#monotonic();
    const key = `${tenant}/${principal}`;
    let count = this.#counts.get(key);
    if (count === undefined || count.endsAtMs <= nowMs) {
      count = this.#open({ tenant, principal }, nowMs, count);
      this.#counts.set(key, count);
    }
    const left = this.limit - count.usedHere - count.usedElsewhere;
    const allowed = left > 0;
    if (allowed) {
      count.usedHere += 1;
      this.#checkDue(count);
    }
    // The clock has fractions of milliseconds, and their sums are not exact.
    const resetSeconds = Math.ceil(Math.round(count.endsAtMs - nowMs) / 1000);
    return { allowed, remaining: Math.max(0, left - 1), resetSeconds };
  }

  /** Others know that `told` were used here, and have used `usedElsewhere` themselves. */
  exchanged(count: SharedCount, told: number, usedElsewhere: number): void {
    count.usedElsewhere = Math.max(count.usedElsewhere, usedElsewhere);
    count.exchangeAt = told + Math.ceil(this.limit / 60);
    this.#checkDue(count);
  }

  #checkDue(count: SharedCount): void {
    if (count.usedHere < count.exchangeAt) return;
    count.exchangeAt = Infinity;
    this.#options.onDue(count);
  }

  #open(
    whose: Pick<SharedCount, 'tenant' | 'principal'>,
    nowMs: number,
    previous: SharedCount | undefined,
  ): SharedCount {
    const now = toMs2000(this.#options.clock());
    const windowStart = Math.floor(now / countedWindowMs) * countedWindowMs;
    // The clock has gone back: what is stored for this minute was counted before, and would close it a second time.
    const isAlone = previous !== undefined && windowStart <= previous.windowStart;
    return {
      ...whose,
      windowStart,
      endsAtMs: nowMs + windowStart + countedWindowMs - now,
      usedHere: 0,
      usedElsewhere: 0,
      exchangeAt: isAlone ? Infinity : Math.ceil(this.limit / 20),
    };
  }
}
