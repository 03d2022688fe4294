// Follows a database as `backup follow` does, but many times a second, and joins the files of each half second: run as
// `node joining-follower.ts FILE FOLDER KEY-FILE`, it goes on until it is killed.

import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { DatabaseFollower, defaultFollowLimits } from '../../../src/features/backups/commands/follow-database.ts';

const [, , file = '', folder = '', keyPath = ''] = process.argv;
const follower = new DatabaseFollower({
  tenant: 'sund',
  file,
  target: { folder, tenant: 'sund', keyFile: readFileSync(keyPath) },
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
