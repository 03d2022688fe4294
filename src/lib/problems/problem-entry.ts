// What the catalogue of problems says about a code.

export type ProblemEntry = {
  readonly status: number;
  /** A problem whose code replaces a general one has the status of the general one. */
  readonly otherStatus?: number;
  readonly title: string;
  /** Every reason that a problem of the code can have; `forbidden` has those of the operation's access. */
  readonly reasons?: readonly string[];
  readonly retryAfterSeconds?: number;
};
