// How long, and how many, snapshots of the tenant status are kept.

export const maxAgeMs = 120_000;

/** A page that refreshes itself takes a new snapshot every 30 seconds. */
export const maxPerManager = 8;
