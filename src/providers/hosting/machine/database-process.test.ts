// Finding the process of the database server by its PID file and by its name.

import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { findDatabaseProcess } from './database-process.ts';

const dataFolder = mkdtempSync(join(tmpdir(), 'portal-database-process-'));
const started: ChildProcess[] = [];
after(() => {
  for (const child of started) child.kill('SIGKILL');
  rmSync(dataFolder, { recursive: true });
});

/** A process with the name of a server. */
async function startServer(): Promise<ChildProcess & { readonly pid: number }> {
  const child = spawn(join(dataFolder, 'mysqld'), ['60'], { argv0: 'sleep', stdio: 'ignore' });
  started.push(child);
  await once(child, 'spawn');
  const { pid } = child;
  assert.ok(pid !== undefined);
  return Object.assign(child, { pid });
}

test(
  'the process is that of the file, or the one that was known before while it runs',
  {
    skip: process.platform === 'linux' ? false : 'only Linux has /proc',
  },
  async () => {
    symlinkSync('/bin/sleep', join(dataFolder, 'mysqld'));
    const [first, second] = [await startServer(), await startServer()];
    const find = (pidFile: string, knownPid?: number) => findDatabaseProcess({ dataFolder, pidFile, knownPid });
    writeFileSync(join(dataFolder, 'server.pid'), `${second.pid}\n`);
    assert.equal(await find('server.pid', first.pid), second.pid);
    // Two processes have the name, so that it identifies neither.
    assert.equal(await find('none.pid'), undefined);
    assert.equal(await find('none.pid', first.pid), first.pid);
    assert.equal(await find('none.pid', process.pid), undefined);
    writeFileSync(join(dataFolder, 'server.pid'), `${process.pid}\n`);
    assert.equal(await find('server.pid'), undefined);
    const third = await startServer();
    first.kill('SIGKILL');
    await once(first, 'exit');
    assert.equal(await find('none.pid', first.pid), undefined);
    third.kill('SIGKILL');
  },
);
