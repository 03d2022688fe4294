// What a test process does to the folders and ports of a service that runs from the same clone: nothing, or it is killed.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, test } from 'node:test';
import { settings } from '../../src/config.ts';

/** A clone in which the service was started once. */
const clone = mkdtempSync(join(tmpdir(), 'portal-clone-'));
mkdirSync(join(clone, 'data'));
new DatabaseSync(join(clone, 'data/sund.sqlite')).close();
after(() => rmSync(clone, { recursive: true }));

const guard = new URL('./default-resources-guard.ts', import.meta.url);
guard.searchParams.set('clone', clone);

/** Runs a module in the clone, as a test process would. */
function runGuarded(code: string): { signal: string | null; stdout: string; stderr: string } {
  const args = ['--import', guard.href, '--input-type=module', '--eval', code];
  const { NODE_COMPILE_CACHE } = process.env;
  const { signal, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: clone,
    env: { NODE_COMPILE_CACHE },
    encoding: 'utf8',
    // One that the guard lets listen would not end by itself.
    timeout: 60_000,
  });
  return { signal, stdout, stderr };
}

const defaultsOf = (kind: RegExp): string[] =>
  Object.values(settings)
    .map(({ fallback }) => fallback)
    .filter((fallback) => kind.test(fallback));

const data = JSON.stringify(join(clone, 'data/sund.sqlite'));
const threadStart = JSON.stringify(new URL('../../src/lib/threads/worker-thread.mjs', import.meta.url));
const sqliteThread = JSON.stringify(new URL('../../src/database/dialects/sqlite/worker.ts', import.meta.url));

describe('a test process is killed when it', { concurrency: 2 }, () => {
  for (const [what, code] of [
    ...defaultsOf(/^(sqlite:)?\.\//).map((fallback): [string, string] => [
      `looks into ${fallback}`,
      `import { existsSync } from 'node:fs'; existsSync(${JSON.stringify(fallback.replace('sqlite:', ''))});`,
    ]),
    ...defaultsOf(/^\d{2,}$/).flatMap((port): [string, string][] => [
      [`listens on port ${port}`, `import net from 'node:net'; net.createServer().listen(${port}, '127.0.0.1');`],
      [`asks port ${port}`, `await fetch('http://127.0.0.1:${port}/livez').catch(() => {});`],
    ]),
    ['makes a folder there', `import { mkdir } from 'node:fs/promises'; await mkdir('data/x').catch(() => {});`],
    ['opens a database', `import { DatabaseSync } from 'node:sqlite'; new DatabaseSync(${data}).exec('select 1');`],
    [
      'has a thread open a database',
      `import { Worker } from 'node:worker_threads';
       const workerData = { module: ${sqliteThread}, file: ${data}, group: 'read' };
       new Worker(new URL(${threadStart}), { execArgv: [], env: {}, workerData });`,
    ],
  ] as const)
    test(what, () => {
      const { signal, stderr } = runGuarded(code);
      assert.equal(signal, 'SIGKILL', stderr);
      assert.match(stderr, /a test must not touch .*\n +at /);
    });
});

test('a test process uses folders and ports of its own', () => {
  const folder = mkdtempSync(join(tmpdir(), 'data-'));
  try {
    const { signal, stdout, stderr } = runGuarded(`
      import { mkdirSync, promises } from 'node:fs';
      import { createServer } from 'node:http';
      import { once } from 'node:events';
      import { promisify } from 'node:util';
      import fs from 'node:fs';
      import { DatabaseSync } from 'node:sqlite';
      const folder = ${JSON.stringify(join(folder, 'data'))};
      mkdirSync(folder);
      new DatabaseSync(folder + '/a.sqlite').exec('create table t (a)');
      const server = createServer((_request, response) => response.end('served')).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const answer = await fetch('http://127.0.0.1:' + server.address().port);
      console.log(await answer.text(), await promises.readdir(folder), await promisify(fs.exists)(folder));
      process.exit();`);
    assert.deepEqual([signal, stdout, stderr], [null, "served [ 'a.sqlite' ] true\n", '']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the files of a run have the guard, and so have the processes that they start', () => {
  assert.ok(process.env['NODE_OPTIONS']?.includes('default-resources-guard.ts'), 'npm test sets it');
});
