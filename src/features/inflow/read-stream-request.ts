// Reads a request with lines of a stream. Describes the lines that the stream does not have yet, and what became of
// these lines.

import type { ComputerContext } from '../../http/context/operation-context.ts';
import { Problem } from '../../lib/problem.ts';
import type { WholeGrantedBank } from '../../permissions/coverage.ts';
import type { LineToHold } from './queries/held-lines.ts';
import type { StreamKey } from './queries/streams.ts';
import type { DeviceClock } from './rules/clock.ts';
import { parseStreamBody, type StreamBody, type StreamLine } from './rules/parse-lines.ts';

export type StreamRequest = { readonly context: ComputerContext; readonly key: StreamKey; readonly body: StreamBody };

/** Throws 400 `invalid-stream`. Parses the lines, but looks nothing up yet. */
export function readStreamBody(bytes: Uint8Array): StreamBody {
  const body = parseStreamBody(bytes);
  if ('reason' in body) throw new Problem('invalid-stream', { detail: body.reason });
  return body;
}

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
