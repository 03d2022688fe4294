// Reads a request with lines of a stream. Its lines are parsed, but nothing is looked up yet.

import type { ComputerContext } from '../../http/context/operation-context.ts';
import { Problem } from '../../lib/problem.ts';
import type { StreamKey } from './queries/streams.ts';
import { parseStreamBody, type StreamBody } from './rules/parse-lines.ts';

export type StreamRequest = {
  readonly context: ComputerContext;
  readonly key: StreamKey;
  readonly body: StreamBody;
};

/** Throws 400 `invalid-stream`. */
export function readStreamBody(bytes: Uint8Array): StreamBody {
  const body = parseStreamBody(bytes);
  if ('reason' in body) throw new Problem('invalid-stream', { detail: body.reason });
  return body;
}
