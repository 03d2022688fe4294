// For how long a variant is good.

export type Lifetime = {
  /** Since it was rendered. */
  readonly maxAgeMs: number;
  /** Since it was last asked for. */
  readonly maxIdleMs: number;
};

export type Times = { readonly renderedAtMs: number; readonly usedAtMs: number };

/** A time further ahead than clocks differ is of a clock that has been set back since: nothing can be said of it. */
export const maxAheadMs = 60_000;

export function isGood({ renderedAtMs, usedAtMs }: Times, { maxAgeMs, maxIdleMs }: Lifetime, nowMs: number): boolean {
  return (
    nowMs - renderedAtMs < maxAgeMs &&
    nowMs - usedAtMs < maxIdleMs &&
    renderedAtMs - nowMs <= maxAheadMs &&
    usedAtMs - nowMs <= maxAheadMs
  );
}
