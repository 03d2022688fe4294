// Declares SendStreamLines, BeginStreamEpoch and GetStreams.

import { defineComputerOperation, type Operation } from '../../http/operations/operation.ts';
import { jsonOf } from '../../http/operations/response.ts';
import { beginStreamEpoch } from './operations/begin-stream-epoch.ts';
import { getStreams } from './operations/get-streams.ts';
import { sendStreamLines, type InflowDependencies } from './operations/send-stream-lines.ts';
import { EpochChange, StreamHeader, StreamParams, StreamPosition, StreamPositions, StreamReceipt } from './schemas.ts';

const common = { openApiDocuments: ['equipment'], group: 'Equipment', deadlineMs: 20_000 } as const;

const sendStreamLinesOperation = (dependencies: InflowDependencies): Operation =>
  defineComputerOperation({
    ...common,
    id: 'SendStreamLines',
    method: 'POST',
    path: '/equipment/v1/streams/{stream}',
    summary: 'Send lines of a stream',
    description:
      'JSON Lines: a header, then at most 1,000 lines, numbered from `first` without gaps. Lines that the stream has are skipped, so that a request can be repeated as often as needed. A line that cannot be booked is held for a manager, and does not stop those after it. One request of a stream runs at a time.',
    params: StreamParams,
    body: StreamHeader,
    bodyFormat: 'jsonl',
    maxBodyBytes: 1_048_576,
    response: jsonOf(StreamReceipt),
    problemCodes: ['invalid-stream', 'stream-gap', 'unknown-epoch', 'stream-busy'],
    run: ({ params: { stream }, body }, context) =>
      sendStreamLines(context, { stream, bytes: body as unknown as Uint8Array }, dependencies),
  });

const beginStreamEpochOperation = defineComputerOperation({
  ...common,
  id: 'BeginStreamEpoch',
  method: 'POST',
  path: '/equipment/v1/streams/{stream}/epoch',
  summary: 'Begin a new epoch of a stream',
  description:
    'For a computer that has lost its memory: the next line has the number 1. Lines with a `ref` that was booked before are recognised.',
  params: StreamParams,
  body: EpochChange,
  maxBodyBytes: 4096,
  response: jsonOf(StreamPosition),
  problemCodes: ['epoch-used'],
  run: ({ params: { stream }, body }, context) => beginStreamEpoch(context, { stream, ...body }),
});

const getStreamsOperation = defineComputerOperation({
  ...common,
  id: 'GetStreams',
  method: 'GET',
  path: '/equipment/v1/streams',
  summary: 'Read where the streams stand',
  description: 'The epoch of each stream, and the number of its last line that is stored.',
  response: jsonOf(StreamPositions),
  run: (_input, context) => getStreams(context),
});

export const inflowRoutes = (dependencies: InflowDependencies): Operation[] => [
  sendStreamLinesOperation(dependencies),
  beginStreamEpochOperation,
  getStreamsOperation,
];
