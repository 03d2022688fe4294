// The current time in ISO 8601, for log lines.

/**
 * Answers a clock that spells the present, once for all that ask within a millisecond, and all but the milliseconds once a
 * second. `now` returns epoch milliseconds.
 */
export function createIsoClock(now: () => number = Date.now): () => string {
  let textMs = Number.NaN;
  let text = '';
  let prefixSecond = Number.NaN;
  let prefix = '';
  return () => {
    const nowMs = now();
    if (nowMs === textMs) return text;
    const second = Math.floor(nowMs / 1000);
    if (second !== prefixSecond) {
      prefixSecond = second;
      prefix = new Date(nowMs).toISOString().slice(0, -'000Z'.length);
    }
    textMs = nowMs;
    text = `${prefix}${String(nowMs - second * 1000).padStart(3, '0')}Z`;
    return text;
  };
}
