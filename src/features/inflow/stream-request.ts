// A request with lines of a stream, as it arrived.

import type { ComputerContext } from '../../http/context/operation-context.ts';
import type { StreamKey } from './queries/streams.ts';
import type { StreamBody } from './rules/parse-lines.ts';

export type StreamRequest = {
  readonly context: ComputerContext;
  readonly key: StreamKey;
  readonly body: StreamBody;
};
