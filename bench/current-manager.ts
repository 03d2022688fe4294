// A permission-checked read without data, against a bare server that answers the same bytes.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveBank } from './support/demo-bank.ts';
import { compare, tell } from './support/measure.ts';
import { sameBytes } from './support/same-bytes.ts';

export async function currentManager(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'portal-bench-'));
  try {
    const service = await serveBank(`sqlite:${directory}`, 1000);
    const target = service.target('/api/v1/session/me');
    const floor = await sameBytes(target);
    tell('GetCurrentManager against bare node:http', await compare(target, floor.target), { least: 0.5 });
    await Promise.all([service.stop(), floor.stop()]);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
