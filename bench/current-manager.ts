// Measures a permission-checked read without data against a bare server that answers the same bytes.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDemoService } from './support/demo-service.ts';
import { compareTargets, reportComparison } from './support/measure.ts';
import { startSameBytesFloor } from './support/same-bytes.ts';

export async function benchmarkCurrentManager(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'portal-bench-'));
  try {
    const service = await startDemoService(`sqlite:${directory}`, 1000);
    const target = service.target('/api/v1/session/me');
    const floor = await startSameBytesFloor(target);
    reportComparison('GetCurrentManager against bare node:http', await compareTargets(target, floor.target), {
      least: 0.5,
    });
    await Promise.all([service.stop(), floor.stop()]);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
