// Measures what the service adds to the requests that come most: processor time against a bare server that answers the
// same bytes. A loss in any part that every request passes shows here.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDemoService } from './support/demo-service.ts';
import { compareProcessorTime, reportComparison } from './support/measure.ts';
import { startSameBytesFloor } from './support/same-bytes.ts';
import { accountPath } from './support/time-window.ts';

type Path = { readonly name: string; readonly path: string; readonly requests: number; readonly least: number };

const paths: readonly Path[] = [
  { name: 'account of 30 days', path: accountPath(30), requests: 3000, least: 0.05 },
  { name: 'GetCurrentManager', path: '/api/v1/session/me', requests: 10_000, least: 0.5 },
  { name: 'cached gradient', path: '/api/v1/gradients/linear/a0a0a0-00ff80/30.svg', requests: 10_000, least: 0.6 },
  { name: 'cached icon', path: '/api/v1/icon/line/house.svg', requests: 10_000, least: 0.6 },
];

const postings = 20_000;

export async function benchmarkRequests(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'portal-bench-'));
  try {
    const service = await startDemoService(`sqlite:${directory}`, postings);
    for (const { name, path, requests, least } of paths) {
      const withToken = service.target(path);
      const target = path.endsWith('.svg') ? { ...withToken, token: '' } : withToken;
      const floor = await startSameBytesFloor(target);
      const comparison = await compareProcessorTime({ ...service, target }, floor, requests);
      reportComparison(`Requests for each second of processor time, ${name}, against bare node:http`, comparison, {
        least,
      });
      await floor.stop();
    }
    await service.stop();
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
