// GetStreams: where both streams of the computer stand.

import type { ComputerContext } from '../../../http/context/operation-context.ts';
import { formatUtc } from '../../../lib/time/ms2000.ts';
import { listStreams } from '../queries/streams.ts';
import { streamNames } from '../../computers/rules/streams.ts';

export async function getStreams(context: ComputerContext) {
  const { bank, computer } = context;
  const rows = await context.read((db) => listStreams(db, bank, computer.computerId));
  const streams = streamNames.map((stream) => {
    const { epoch = '', through = 0 } = rows.find((row) => row.stream === stream) ?? {};
    return { stream, epoch: epoch === '' ? null : epoch, through };
  });
  return { streams, serverTime: formatUtc(context.currentTime) };
}
