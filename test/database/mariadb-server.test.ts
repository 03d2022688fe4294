// The temporary server itself: it starts, crashes and restarts, and leaves nothing behind, however its parent ends.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { noMariaDb, startMariaDb, type MariaDb, type MariaDbOptions } from '../support/mariadb-server.ts';

test('a server answers on its port and its socket, and only with the password', { skip: noMariaDb }, async () => {
  const server = await start();
  try {
    const { password } = new URL(server.url(''));
    assert.match(server.url('portal_'), /^mysql:\/\/root:[0-9a-f]{24}@127\.0\.0\.1:\d+\/portal_$/);
    for (const way of [{ host: '127.0.0.1', port: server.port }, { socketPath: server.socketPath }]) {
      const connection = await createConnection({ ...way, user: 'root', password });
      await connection.end();
      await assert.rejects(createConnection({ ...way, user: 'root' }), { code: 'ER_ACCESS_DENIED_ERROR' });
    }
  } finally {
    await server.stop();
  }
  await nothingIsLeft(server.pid, dirname(server.socketPath));
});

test('a server has the requested settings', { skip: noMariaDb }, async () => {
  const server = await start({ flushLogAtCommit: 1, bufferPoolMegabytes: 64, settings: ['--max-connections=33'] });
  try {
    const [row] = await rows(
      server,
      `select @@innodb_flush_log_at_trx_commit as flush, @@innodb_buffer_pool_size as pool, @@max_connections as connections,
        @@character_set_server as charset, @@skip_name_resolve as literal, @@performance_schema as watched`,
    );
    assert.deepEqual(row, {
      flush: 1,
      pool: 64 * 1024 * 1024,
      connections: 33,
      charset: 'utf8mb4',
      literal: 1,
      watched: 0,
    });
  } finally {
    await server.stop();
  }
});

test('what was committed is there after a kill and a restart, at the same address', { skip: noMariaDb }, async () => {
  const server = await start({ flushLogAtCommit: 1 });
  try {
    await rows(server, 'create database kept');
    await rows(server, 'create table kept.words (word varchar(20) primary key)');
    await rows(server, `insert into kept.words values ('still here')`);
    const first = server.pid;
    server.kill();
    await server.restart();
    assert.notEqual(server.pid, first);
    assert.deepEqual(await rows(server, 'select word from kept.words'), [{ word: 'still here' }]);
  } finally {
    await server.stop();
  }
});

test('stopping a server that was killed removes its data', { skip: noMariaDb }, async () => {
  const server = await start();
  server.kill();
  await server.stop();
  await nothingIsLeft(server.pid, dirname(server.socketPath));
});

test('a server that cannot start says why', { skip: noMariaDb }, async () => {
  await assert.rejects(startMariaDb({ settings: ['--no-such-setting=1'] }), /unknown variable 'no-such-setting=1'/);
});

for (const [end, code] of [
  ['is killed', `process.kill(process.pid, 'SIGKILL')`],
  ['ends without stopping it', ''],
] as const) {
  test(`nothing is left of a server whose parent ${end}`, { skip: noMariaDb }, async () => {
    const script = `
      import { startMariaDb } from ${JSON.stringify(import.meta.resolve('../support/mariadb-server.ts'))};
      const server = await startMariaDb();
      process.stdout.write(JSON.stringify({ pid: server.pid, socketPath: server.socketPath }) + '\\n', () => { ${code} });`;
    const parent = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const output = (await parent.stdout.toArray()).join('');
    if (parent.exitCode === null && parent.signalCode === null) await once(parent, 'exit');
    assert.equal(parent.signalCode, code === '' ? null : 'SIGKILL');
    const { pid, socketPath } = JSON.parse(output) as { pid: number; socketPath: string };
    await nothingIsLeft(pid, dirname(socketPath));
  });
}

async function start(options?: MariaDbOptions): Promise<MariaDb> {
  const server = await startMariaDb(options);
  assert.ok(server);
  return server;
}

async function rows(server: MariaDb, sql: string): Promise<object[]> {
  const connection = await createConnection(server.url(''));
  try {
    const [result] = await connection.query<RowDataPacket[]>(sql);
    return Array.isArray(result) ? result.map((row) => ({ ...row })) : [];
  } finally {
    await connection.end();
  }
}

/** The system reaps a process whose parent is gone, which can take a moment. */
async function nothingIsLeft(pid: number, folder: string): Promise<void> {
  const deadline = Date.now() + 15_000;
  while ((isRunning(pid) || existsSync(folder)) && Date.now() < deadline) await sleep(50);
  assert.equal(isRunning(pid), false, 'the server still runs');
  assert.equal(existsSync(folder), false, 'its folder is still there');
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
