// Defines a step of seeding a database.

import type { SeedClaim } from './ownership.ts';

export type SeedStep = {
  /** The number of postings that it writes. */
  readonly postings: number;
  /** Writes everything in one `writeStep` of the claim. */
  readonly run: (claim: SeedClaim) => Promise<void>;
};
