// SendStreamLines: stores the lines of a request, each exactly once. An answer means that they are committed.

import type { ComputerContext } from '../../../http/context/operation-context.ts';
import type { EquipmentMetrics } from '../../../http/monitoring/equipment-metrics.ts';
import { formatUtc } from '../../../lib/time/ms2000.ts';
import type { StreamName } from '../../computers/rules/streams.ts';
import { readDifferingLists } from '../../desired-state/read-snapshot.ts';
import type { StreamTurns } from '../process/stream-turns.ts';
import { readStreamBody, type StreamRequest } from '../read-stream-request.ts';
import { recordAlone, recordTogether, type RecordedLines } from '../record-lines.ts';
import { measureLags } from '../rules/clock.ts';
import type { StreamBody } from '../rules/parse-lines.ts';
import type { ReceivedHeader } from '../rules/stream-header.ts';

export type InflowDependencies = {
  readonly turns: StreamTurns<StreamRequest, RecordedLines>;
  readonly metrics: EquipmentMetrics;
};

type StreamLinesInput = { readonly stream: StreamName; readonly bytes: Uint8Array };

export async function sendStreamLines(
  context: ComputerContext,
  input: StreamLinesInput,
  dependencies: InflowDependencies,
) {
  const startedAt = performance.now();
  try {
    return await storeStreamLines(context, input, dependencies);
  } finally {
    const seconds = (performance.now() - startedAt) / 1000;
    dependencies.metrics.streamRequestEnded({ stream: input.stream, seconds });
  }
}

/** A larger body is parsed only when it is its turn. */
const maxSharingBytes = 32_768;

async function storeStreamLines(
  context: ComputerContext,
  { stream, bytes }: StreamLinesInput,
  { turns, metrics }: InflowDependencies,
) {
  const { bank, computer, tenant } = context;
  const { bankId, computerId } = computer;
  const turn = { tenant: tenant.name, bankId, computerId, stream };
  const toRequest = (body: StreamBody): StreamRequest => ({ context, key: { bank, computerId, stream }, body });
  const answer = async ({ body: { header, lines } }: StreamRequest, { received, added }: RecordedLines) => {
    const { repeated } = received;
    metrics.linesReceived(stream, { ...added, repeated }, measureLags(header, lines.slice(repeated)));
    const resync = await listDifferingLists(context, header);
    const serverTime = formatUtc(context.currentTime);
    return { ...received, serverTime, ...(resync.length === 0 ? {} : { resync }) };
  };
  const body = bytes.byteLength > maxSharingBytes ? undefined : readStreamBody(bytes);
  if (body !== undefined && mayShareTurn(stream, body)) {
    const request = toRequest(body);
    return answer(request, await turns.runTogether(turn, { input: request, lines: body.lines.length }, recordTogether));
  }
  return turns.run(turn, async () => {
    const request = toRequest(body ?? readStreamBody(bytes));
    return answer(request, await recordAlone(request));
  });
}

/** What a computer has is compared with what is stored in a turn of its own. */
const mayShareTurn = (stream: StreamName, { header }: StreamBody): boolean =>
  stream === 'money' && header.digests === undefined;

/** A later read: what the computer has is compared with what is committed. */
const listDifferingLists = async (
  context: ComputerContext,
  { digests, sentAt }: ReceivedHeader,
): Promise<readonly string[]> =>
  digests === undefined ? [] : readDifferingLists(context, digests, sentAt ?? context.now);
