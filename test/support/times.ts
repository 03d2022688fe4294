// The instant at which the clock of most suites stands, and durations.

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** A Monday, half past eleven in Copenhagen, in milliseconds since 2000. */
export const testNow = Date.parse('2026-06-15T09:30:00Z') - Date.UTC(2000, 0, 1);
