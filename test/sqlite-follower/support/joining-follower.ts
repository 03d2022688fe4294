// Follows a database as `backup follow` does, but many times a second, and joins the files of each half second: run as
// `node joining-follower.ts FILE FOLDER KEY-FILE`, it goes on until it is killed.

import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { createCopyContainer } from '../../../src/features/backups/commands/tenant-copies.ts';
import { DatabaseFollower, defaultFollowLimits } from '../../../sqlite-follower/database-follower.ts';

const [, , file = '', folder = '', keyPath = ''] = process.argv;
const follower = new DatabaseFollower({
  tenant: 'sund',
  file,
  folder,
  container: createCopyContainer(readFileSync(keyPath)),
  log: pino({ level: 'warn' }),
  limits: { ...defaultFollowLimits, maxLogBytes: 1e9, joined: { periodMs: 500, maxBytes: 1e9 } },
  keepMs: undefined,
  now: Date.now,
});
await follower.resume();
for (;;) {
  await follower.copy();
  await pause(5);
}
