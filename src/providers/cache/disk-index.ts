// Which variants the file holds, and when each was last used, so that a miss costs one look and no visit to the disk.

import { isGood, type Lifetime } from './lifetime.ts';
import type { Answer, Use } from './protocol.ts';

type Known = {
  readonly renderedAtMs: number;
  readonly bytes: number;
  usedAtMs: number;
  /** The last use as the file has it. */
  savedMs: number;
};

const dayMs = 86_400_000;
/** So many uses cross at once; the others are due again the next time. */
const maxUses = 2000;

export class DiskIndex {
  readonly #lifetime: Lifetime;
  /** A last use that has moved by less is not worth writing by itself. */
  readonly #coarseMs: number;
  readonly #known = new Map<string, Known>();
  #bytes = 0;

  constructor(lifetime: Lifetime) {
    this.#lifetime = lifetime;
    this.#coarseMs = Math.min(dayMs, lifetime.maxIdleMs / 100);
  }

  get size(): number {
    return this.#known.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  learn({ anew, came, went }: Pick<Answer, 'anew' | 'came' | 'went'>): void {
    if (anew) this.clear();
    for (const { key, renderedAtMs, usedAtMs, bytes } of came) {
      this.forget(key);
      this.#known.set(key, { renderedAtMs, bytes, usedAtMs, savedMs: usedAtMs });
      this.#bytes += bytes;
    }
    for (const key of went) this.forget(key);
  }

  forget(key: string): void {
    const known = this.#known.get(key);
    if (known === undefined) return;
    this.#bytes -= known.bytes;
    this.#known.delete(key);
  }

  clear(): void {
    this.#known.clear();
    this.#bytes = 0;
  }

  /** Whether the file has a good one; if so, it counts as used. */
  use(key: string, nowMs: number): boolean {
    const known = this.#known.get(key);
    if (known === undefined || !isGood(known, this.#lifetime, nowMs)) return false;
    known.usedAtMs = nowMs;
    return true;
  }

  /** Uses that the file is to learn of: all, or only those that moved by more than is coarse. */
  unsaved({ coarse }: { coarse: boolean }): Use[] {
    const leastMs = coarse ? this.#coarseMs : 1;
    const uses: Use[] = [];
    for (const [key, { usedAtMs, savedMs }] of this.#known) {
      if (usedAtMs - savedMs < leastMs) continue;
      if (uses.push({ key, usedAtMs }) === maxUses) break;
    }
    return uses;
  }

  saved(uses: readonly Use[]): void {
    for (const { key, usedAtMs } of uses) {
      const known = this.#known.get(key);
      if (known !== undefined) known.savedMs = usedAtMs;
    }
  }

  hasSpoilt(nowMs: number): boolean {
    return this.#known.values().some((known) => !isGood(known, this.#lifetime, nowMs));
  }

  forgetSpoilt(nowMs: number): void {
    for (const [key, known] of this.#known) if (!isGood(known, this.#lifetime, nowMs)) this.forget(key);
  }
}
