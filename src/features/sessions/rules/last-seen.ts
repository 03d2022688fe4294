// Decides when the time at which a manager was last seen is stored.

/** How far the stored time can be behind, and the least time between two writes for a manager. */
export const lastSeenIntervalMs = 15 * 60_000;

export const isLastSeenDue = (lastSeenAt: number | null, now: number): boolean =>
  lastSeenAt === null || now - lastSeenAt >= lastSeenIntervalMs;
