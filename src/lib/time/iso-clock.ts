// The current time in ISO 8601, for log lines.

/**
 * Returns a clock that formats the current time: once for all calls within a millisecond, and everything but the milliseconds
 * once a second. `now` returns epoch milliseconds.
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
