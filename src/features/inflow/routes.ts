// Declares SendStreamLines, BeginStreamEpoch and GetStreams of computers, and GetHeldLines and ResolveHeldLine of managers.

import { BankParams } from '../places/schemas.ts';
import {
  defineComputerOperation,
  defineManagerOperation,
  type Operation,
  type OperationAccess,
} from '../../http/operations/operation.ts';
import { jsonOf } from '../../http/operations/response.ts';
import { beginStreamEpoch } from './operations/begin-stream-epoch.ts';
import { getHeldLines } from './operations/get-held-lines.ts';
import { getStreams } from './operations/get-streams.ts';
import { resolveHeldLine } from './operations/resolve-held-line.ts';
import { createStreamTurns } from './process/stream-turns.ts';
import { sendStreamLines, type InflowDependencies } from './operations/send-stream-lines.ts';
import {
  EpochChange,
  HeldLinePage,
  HeldLineParams,
  HeldLineResolution,
  HeldLineResult,
  HeldLinesQuery,
  ResolutionQuery,
  StreamHeader,
  StreamParams,
  StreamPosition,
  StreamPositions,
  StreamReceipt,
} from './schemas.ts';

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
    isPolled: true,
    run: ({ params: { stream }, body }, context) =>
      sendStreamLines(context, { stream, bytes: body as unknown as Uint8Array }, dependencies),
  });

const commonOfManagers = { openApiDocuments: ['portal'], group: 'Computers', deadlineMs: 10_000 } as const;

const heldLinesReadAccess: OperationAccess = {
  tabs: ['Account2', 'Services1'],
  permissions: ['Bank.Read', 'Unit.Read'],
  grantLevel: 'location',
};

const heldLinesWriteAccess: OperationAccess = {
  ...heldLinesReadAccess,
  permissions: ['Bank.Read', 'Unit.Read', 'Bank.Write'],
  grantLevel: 'bank',
};

export const inflowRoutes = ({ metrics }: Pick<InflowDependencies, 'metrics'>): Operation[] => [
  sendStreamLinesOperation({ metrics, turns: createStreamTurns() }),
  defineComputerOperation({
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
  }),
  defineComputerOperation({
    ...common,
    id: 'GetStreams',
    method: 'GET',
    path: '/equipment/v1/streams',
    summary: 'Read where the streams stand',
    description: 'The epoch of each stream, and the number of its last line that is stored.',
    response: jsonOf(StreamPositions),
    isPolled: true,
    run: (_input, context) => getStreams(context),
  }),
  defineManagerOperation({
    ...commonOfManagers,
    id: 'GetHeldLines',
    method: 'GET',
    path: '/api/v1/banks/{bankKid}/held-lines',
    summary: 'List lines of computers that could not be booked',
    description:
      'Newest first. Each line is whole, as the computer sent it. Lines that name no unit of their computer need a bank-wide grant.',
    access: heldLinesReadAccess,
    params: BankParams,
    query: HeldLinesQuery,
    response: jsonOf(HeldLinePage),
    problemCodes: ['not-found'],
    run: ({ params: { bankKid }, query }, context) => getHeldLines(context, { bankKid, ...query }),
  }),
  defineManagerOperation({
    ...commonOfManagers,
    id: 'ResolveHeldLine',
    method: 'POST',
    path: '/api/v1/held-lines/{heldKid}/resolution',
    summary: 'Book or discard a held line',
    description:
      'What the line says is decided again, with what is known by now, and booked with its own time; a time that has still not come is that of its arrival. A line that compensates another one is booked on the resident of that one. Discarding needs a reason, and is final.',
    access: heldLinesWriteAccess,
    params: HeldLineParams,
    query: ResolutionQuery,
    body: HeldLineResolution,
    maxBodyBytes: 4096,
    response: jsonOf(HeldLineResult),
    problemCodes: ['not-found', 'held-line-conflict', 'held-line-ended', 'held-line-not-bookable'],
    acceptsIdempotencyKey: true,
    run: ({ params: { heldKid }, query: { dryRun }, body }, context) =>
      resolveHeldLine(context, { heldKid, dryRun, ...body }),
  }),
];
