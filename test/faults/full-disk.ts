// A full disk, and folders that cannot be used, under all that the service keeps: data, caches, mails, backups. Reads go
// on, nothing acknowledged is lost, and all works again without a restart.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Round } from '../rounds/run-rounds.ts';

const timeoutMs = 180_000;
const withSmallDisk = 'mount -t tmpfs -o size=24m none "$1" && exec "$2" "$3" "$1"';
const namespace = ['--user', '--map-root-user', '--mount', '--', '/bin/sh', '-c'];

export const fullDisk: Round = {
  name: 'full disk',
  run: async () => {
    const { status } = spawnSync('unshare', [...namespace, 'mount -t tmpfs none /tmp']);
    if (status !== 0) throw new Error('the system lets no test mount a disk for itself');
    const disk = mkdtempSync(join(tmpdir(), 'portal-disk-'));
    const program = join(import.meta.dirname, 'support/full-disk-program.ts');
    const child = spawn('unshare', [...namespace, withSmallDisk, 'sh', disk, process.execPath, program], {
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    try {
      const [code] = (await once(child, 'close')) as [number | null];
      if (code !== 0) throw new Error(stderr);
      return JSON.parse(stdout) as Record<string, number | string>;
    } finally {
      rmSync(disk, { recursive: true });
    }
  },
};
