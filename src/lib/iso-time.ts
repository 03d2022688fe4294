// The present in ISO 8601, for lines of a log.

/** Answers a clock that spells the present, once for all that ask within a millisecond. */
export function isoTime(): () => string {
  let spelledAt = 0;
  let spelling = '';
  return () => {
    const now = Date.now();
    if (now !== spelledAt) {
      spelledAt = now;
      spelling = new Date(now).toISOString();
    }
    return spelling;
  };
}
