// A process that follows a database into a small disk, which is full for a while: run as `node full-target.ts PORTAL
// DIRECTORY DATA` where the disk is mounted, it prints what happened.

import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { waitUntil } from '../../support/async.ts';

const [, , portal = '', disk = '', data = ''] = process.argv;
const { PORTAL_STORAGE, PORTAL_TENANTS } = process.env;
const env = { PORTAL_STORAGE, PORTAL_TENANTS };
const follower = spawn(process.execPath, [portal, 'backup', 'follow', disk], {
  env,
  stdio: ['ignore', 'pipe', 'inherit'],
});
let output = '';
follower.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
const says = (text: string): Promise<void> => waitUntil(`it says ${text}`, () => output.includes(text));
await says('a base was written');
const database = new DatabaseSync(join(data, 'sund.sqlite'), { timeout: 5000 });
const ballast = join(disk, 'ballast');
const fill = (bytes: number): boolean => {
  try {
    writeFileSync(ballast, Buffer.alloc(bytes), { flag: 'a' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    return false;
  }
};
for (const bytes of [65_536, 4096, 1]) while (fill(bytes));
database.exec("insert or replace into tenant_settings (name, value) values ('on a full disk', hex(randomblob(20000)))");
await says('ENOSPC');
process.stdout.write('full\n');
rmSync(ballast);
await says('it is copied again');
process.stdout.write('again\n');
const generations = readdirSync(join(disk, 'sund')).filter((name) => name.startsWith('20'));
const ended = new Promise((resolve) => follower.on('exit', resolve));
follower.kill('SIGTERM');
await ended;
database.close();
const verified = spawnSync(process.execPath, [portal, 'backup', 'verify', join(disk, 'sund')], {
  env,
  encoding: 'utf8',
});
process.stdout.write(
  generations.length === 1 ? `verified ${verified.status}\n` : `${generations.length} generations\n`,
);
