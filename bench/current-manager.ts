// A permission-checked read without data, against a bare server that answers as many bytes.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask } from './support/ask.ts';
import { host, serveBank } from './support/demo-bank.ts';
import { compare, tell } from './support/measure.ts';
import { startNode } from './support/processes.ts';

export async function currentManager(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'portal-bench-'));
  try {
    const service = await serveBank(`sqlite:${directory}`, 1000);
    const target = service.target('/api/v1/session/me');
    const { length } = await ask(target);
    const floor = await startNode('bench/support/floor.ts', ['bytes', String(length)], {});
    const bare = { port: Number(floor.line['port']), path: '/', host, token: '' };
    tell(`GetCurrentManager (${length} bytes) against bare node:http`, await compare(target, bare), { least: 0.5 });
    await Promise.all([service.stop(), floor.stop()]);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
