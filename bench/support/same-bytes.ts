// The floor of an answer: a bare node:http server that always sends the same head and body.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetchReply } from './request.ts';
import type { MeasuredServer } from './measure.ts';
import { startNode, type LoadTarget } from './processes.ts';

export type RunningFloor = MeasuredServer & { stop(): Promise<void> };

/** Sends the request once, and serves its answer. */
export async function startSameBytesFloor(original: LoadTarget): Promise<RunningFloor> {
  const { headers, body } = await fetchReply(original);
  // The server writes these fields itself.
  for (const own of ['date', 'connection', 'keep-alive']) delete headers[own];
  const directory = mkdtempSync(join(tmpdir(), 'portal-bench-'));
  const file = join(directory, 'answer.json');
  writeFileSync(file, JSON.stringify({ headers, body }));
  const floor = await startNode('bench/support/floor.ts', ['bytes', file], {});
  rmSync(directory, { recursive: true });
  return { ...floor, target: { ...original, port: Number(floor.line['port']) } };
}
