// Decides when it is stored that a manager was seen.

/** How far what is stored lies behind at most, and how often a manager is written at most. */
export const lastSeenIntervalMs = 15 * 60_000;

export const isLastSeenDue = (lastSeenAt: number | null, now: number): boolean =>
  lastSeenAt === null || now - lastSeenAt >= lastSeenIntervalMs;
