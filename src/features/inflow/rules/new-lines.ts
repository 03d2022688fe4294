// Describes the lines of a request that a stream does not have, and what became of them.

import type { WholeGrantedBank } from '../../../permissions/coverage.ts';
import type { LineToHold } from '../queries/held-lines.ts';
import type { DeviceClock } from './clock.ts';
import type { StreamLine } from './parse-lines.ts';

/** The lines of a request that the stream does not have, in a transaction that has locked it. */
export type NewLines = {
  readonly bank: WholeGrantedBank;
  readonly computerId: number;
  readonly epochNumber: number;
  readonly lines: readonly StreamLine[];
  readonly clock: DeviceClock;
  readonly now: number;
};

export type StoredLines = {
  readonly held: readonly LineToHold[];
  /** How many repeat lines of other epochs. */
  readonly other: number;
};
