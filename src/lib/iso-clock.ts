// The current time in ISO 8601, for log lines.

/** Answers a clock that spells the present, once for all that ask within a millisecond. */
export function createIsoClock(): () => string {
  let textMs = 0;
  let text = '';
  return () => {
    const now = Date.now();
    if (now !== textMs) {
      textMs = now;
      text = new Date(now).toISOString();
    }
    return text;
  };
}
