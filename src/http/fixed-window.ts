// One counter for every limit on how often: requests of an address or a principal, failed logins of an account.
// Counts live in this process and in bounded memory.

import { LRUCache } from 'lru-cache';

export type WindowState = { readonly allowed: boolean; readonly remaining: number; readonly resetSeconds: number };

type WindowCount = { used: number; readonly endsAt: number };

export class FixedWindow {
  readonly limit: number;
  readonly windowSeconds: number;
  readonly #now: () => number;
  readonly #counts: LRUCache<string, WindowCount>;

  /** `now` answers milliseconds of a clock that never goes back. */
  constructor(limit: number, windowSeconds: number, now: () => number = () => performance.now(), maxKeys = 50_000) {
    this.limit = limit;
    this.windowSeconds = windowSeconds;
    this.#now = now;
    this.#counts = new LRUCache({ max: maxKeys });
  }

  /** Counts one more, unless the limit is used up already. */
  take(key: string): WindowState {
    const now = this.#now();
    let count = this.#counts.get(key);
    if (count === undefined || count.endsAt <= now) {
      count = { used: 0, endsAt: now + this.windowSeconds * 1000 };
      this.#counts.set(key, count);
    }
    const allowed = count.used < this.limit;
    if (allowed) count.used += 1;
    return { allowed, remaining: this.limit - count.used, resetSeconds: Math.ceil((count.endsAt - now) / 1000) };
  }

  /** Takes one back: the attempt turned out not to count. */
  giveBack(key: string): void {
    const count = this.#counts.get(key);
    if (count !== undefined && count.used > 0) count.used -= 1;
  }

  forget(key: string): void {
    this.#counts.delete(key);
  }
}

/** The key of a client address: an IPv6 client owns its whole /64, so that is what is counted. */
export function rateLimitKeyOfAddress(address: string): string {
  if (!address.includes(':')) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [leftHalf = '', rightHalf] = address.split('%', 1)[0]?.split('::') ?? [];
  const leftGroups = leftHalf === '' ? [] : leftHalf.split(':');
  const rightGroups = rightHalf === undefined || rightHalf === '' ? [] : rightHalf.split(':');
  const zeros =
    rightHalf === undefined
      ? []
      : Array.from({ length: Math.max(0, 8 - leftGroups.length - rightGroups.length) }, () => '0');
  return [...leftGroups, ...zeros, ...rightGroups].slice(0, 4).join(':');
}
