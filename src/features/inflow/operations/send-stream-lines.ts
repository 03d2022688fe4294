// SendStreamLines: stores the lines of a request, each exactly once. An answer means that they are committed.

import type { ComputerContext } from '../../../http/context/operation-context.ts';
import type { EquipmentMetrics } from '../../../http/monitoring/equipment-metrics.ts';
import { formatUtc } from '../../../lib/ms2000.ts';
import { Problem } from '../../../lib/problem.ts';
import type { StreamName } from '../../computers/rules/streams.ts';
import { readDifferingLists } from '../../desired-state/read-snapshot.ts';
import type { StreamTurns } from '../process/stream-turns.ts';
import { recordLines } from '../record-lines.ts';
import { measureLags } from '../rules/line-lags.ts';
import { parseStreamBody, type StreamBody } from '../rules/parse-lines.ts';
import type { ReceivedHeader } from '../rules/stream-header.ts';

export type InflowDependencies = { readonly turns: StreamTurns; readonly metrics: EquipmentMetrics };

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

async function storeStreamLines(
  context: ComputerContext,
  { stream, bytes }: StreamLinesInput,
  { turns, metrics }: InflowDependencies,
) {
  const { bank, computer, tenant } = context;
  const { bankId, computerId } = computer;
  return turns.run({ tenant: tenant.name, bankId, computerId, stream }, async () => {
    const body = requireBody(bytes);
    const key = { bank, computerId, stream };
    const { received, added } = await context.write((db) => recordLines(db, context, { key, body }));
    const { repeated } = received;
    metrics.linesReceived(stream, { ...added, repeated }, measureLags(body.header, body.lines.slice(repeated)));
    const resync = await listDifferingLists(context, body.header);
    const serverTime = formatUtc(context.currentTime);
    return { ...received, serverTime, ...(resync.length === 0 ? {} : { resync }) };
  });
}

function requireBody(bytes: Uint8Array): StreamBody {
  const body = parseStreamBody(bytes);
  if ('reason' in body) throw new Problem('invalid-stream', { detail: body.reason });
  return body;
}

/** A later read: what the computer has is compared with what is committed. */
async function listDifferingLists(
  context: ComputerContext,
  { digests, sentAt }: ReceivedHeader,
): Promise<readonly string[]> {
  return digests === undefined ? [] : readDifferingLists(context, digests, sentAt ?? context.now);
}
