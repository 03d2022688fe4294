// Who can read the files that the service creates, under the usual umask.

import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { waitUntil } from '../support/async.ts';
import { runPortal, startServeProcess } from '../support/portal-process.ts';
import { formatRawRequest, sendRaw } from '../http/support/raw-http.ts';

let folder: string;
let umask: number;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'portal-test-'));
  // The processes below inherit it.
  umask = process.umask(0o022);
});
after(() => {
  process.umask(umask);
  rmSync(folder, { recursive: true, force: true });
});

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

/** The modes of a folder and of everything in it. */
function listModes(path: string): Record<string, string> {
  const inside = readdirSync(path, { recursive: true, encoding: 'utf8' });
  return Object.fromEntries(['.', ...inside].map((name) => [name, modeOf(join(path, name))]));
}

test('only their owner can read databases, caches, and the folders created for them', async () => {
  const data = join(folder, 'new/data');
  const cache = join(folder, 'new/cache');
  const hosting = join(folder, 'new/hosting');
  const settings = { PORTAL_STORAGE: `sqlite:${data}`, PORTAL_CACHE: cache, PORTAL_HOSTING_STATE: hosting };
  assert.equal((await runPortal(['demo', '--tenant', 'sund', '--postings', '1'], settings)).code, 0);
  const child = await startServeProcess(settings);
  try {
    const get = (path: string) =>
      sendRaw(child.port, formatRawRequest(`GET ${path} HTTP/1.1`, ['Host: api.sund.localhost']));
    // Opens the databases for reading and writing, so that their -wal and -shm are there.
    await get('/readyz');
    await get('/api/v1/public/status');
    assert.equal((await get('/api/v1/icon/line/washer~n3/64.png')).status, 200);
    // The file is written under another name first.
    await waitUntil('the picture is in the cache', () => {
      const files = readdirSync(cache, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
      return files.length > 0 && files.every(({ name }) => !name.endsWith('.tmp'));
    });
    const modes = listModes(join(folder, 'new'));
    for (const name of ['data/sund.sqlite', 'data/sund.sqlite-wal', 'data/sund.sqlite-shm', 'cache', 'hosting'])
      assert.ok(name in modes, `${name} is among ${Object.keys(modes).join(', ')}`);
    for (const [name, mode] of Object.entries(modes))
      assert.equal(mode, statSync(join(folder, 'new', name)).isDirectory() ? '700' : '600', name);
  } finally {
    await child.kill();
  }
});

test('existing files keep their mode', async () => {
  const data = join(folder, 'own');
  const file = join(data, 'sund.sqlite');
  mkdirSync(data);
  writeFileSync(file, '');
  chmodSync(data, 0o750);
  chmodSync(file, 0o640);
  assert.equal((await runPortal(['migrate'], { PORTAL_STORAGE: `sqlite:${data}` })).code, 0);
  assert.deepEqual([modeOf(data), modeOf(file), modeOf(join(data, 'fjord.sqlite'))], ['750', '640', '600']);
});
