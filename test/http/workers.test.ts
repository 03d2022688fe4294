// PORTAL_WORKERS: several processes that serve on one port, over the same databases.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { waitUntil } from '../support/async.ts';
import { getTenant } from '../support/demo-database.ts';
import { createToken, insertTestManager } from '../support/factories.ts';
import { createStorage, onBothEngines, startService } from '../support/service.ts';
import { runPortal, startServeProcess, type ServeProcess } from '../support/portal-process.ts';
import { formatRawRequest, sendRaw } from './support/raw-http.ts';

const host = 'Host: api.sund.localhost';
const me = '/api/v1/session/me';
const login = '/api/v1/session/login';
const password = 'a long and secret passphrase';
/** The supervisor gives connections to the workers in turn. */
const someConnections = 8;

type Line = Readonly<Record<string, unknown>>;

const folder = mkdtempSync(join(tmpdir(), 'portal-workers-'));
const tenants = join(folder, 'tenants.json');
writeFileSync(tenants, JSON.stringify([getTenant('sund')]));
after(() => rmSync(folder, { recursive: true }));

const logOf = (child: ServeProcess): Line[] => child.lines().map((line) => JSON.parse(line) as Line);

/** On a connection of its own. */
const ask = (port: number, token = '') =>
  sendRaw(port, formatRawRequest(`GET ${me} HTTP/1.1`, [host, `Authorization: Bearer ${token}`]));
const logIn = (port: number, userName: string, given: string) => {
  const body = JSON.stringify({ userName, password: given });
  const headers = [host, 'Content-Type: application/json', `Content-Length: ${body.length}`];
  return sendRaw(port, formatRawRequest(`POST ${login} HTTP/1.1`, headers, body));
};
const statusesOf = async (port: number, token: string): Promise<number[]> => {
  const replies = await Promise.all(Array.from({ length: someConnections }, () => ask(port, token)));
  return replies.map(({ status }) => status);
};

/** The requests that each worker has counted, by its number. */
async function requestsByWorker({ metricsUrl }: ServeProcess): Promise<Map<string, number>> {
  const text = await (await fetch(metricsUrl)).text();
  const counts = new Map<string, number>();
  for (const [, labels = '', count] of text.matchAll(/^http_server_request_duration_seconds_count\{(.*)\} (\d+)$/gm)) {
    const [, worker = ''] = /worker="(\d+)"/.exec(labels) ?? [];
    if (labels.includes(me)) counts.set(worker, (counts.get(worker) ?? 0) + Number(count));
  }
  return counts;
}

/** The ids of the worker processes. */
const workersOf = ({ pid }: ServeProcess): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);

onBothEngines((engine) => {
  let child: ServeProcess;
  let token: string;
  let settings: Record<string, string>;
  before(async () => {
    const storage = await createStorage(engine);
    after(() => storage.release());
    const preparing = await startService(engine, { storage });
    const passwordHash = await preparing.dependencies.passwordHasher.hash(password);
    ({ token } = await createToken(preparing));
    await preparing.write('sund', async (db) => {
      for (const userName of ['anna', 'bo']) await insertTestManager(db, { userName, passwordHash });
    });
    await preparing.stop();
    settings = { PORTAL_STORAGE: storage.storageUrl, PORTAL_TENANTS: tenants, PORTAL_WORKERS: '2' };
    child = await startServeProcess(settings);
    after(() => child.kill());
  });

  test('[replicas.02] two workers serve on one port, with one ready line, their logs, their metrics and one health', async () => {
    assert.equal(logOf(child).filter(({ msg }) => msg === 'ready').length, 1);
    assert.deepEqual(new Set(await statusesOf(child.port, token)), new Set([200]));
    const counts = await requestsByWorker(child);
    assert.deepEqual([...counts.keys()].toSorted(), ['1', '2']);
    const logged = () => logOf(child).filter(({ path }) => path === me);
    await waitUntil('both have logged', () => new Set(logged().map(({ worker }) => worker)).size === 2);
    for (const path of ['/livez', '/readyz'])
      assert.equal((await fetch(new URL(path, child.metricsUrl))).status, 200, path);
  });

  test('[replicas.02] another program on the port is told once, and ends the start', async () => {
    const { code, stderr } = await runPortal(['serve'], { ...settings, PORTAL_PORT: String(child.port) });
    assert.equal(code, 1);
    assert.match(stderr, /^error: PORTAL_HOST, PORTAL_PORT: cannot listen [^\n]*EADDRINUSE[^\n]*\n$/);
  });

  test('[replicas.01, replicas.02] wrong passwords count once over both workers', async () => {
    for (let at = 0; at < 10; at += 1) assert.equal((await logIn(child.port, 'bo', 'wrong')).status, 401);
    for (let at = 0; at < someConnections; at += 1) assert.equal((await logIn(child.port, 'bo', password)).status, 429);
  });

  test('[replicas.02] a logout at one worker ends the session at the other at once', async () => {
    const { accessToken } = (await logIn(child.port, 'anna', password)).json;
    // Both have it in their caches, where it would stay for a minute.
    assert.deepEqual(new Set(await statusesOf(child.port, accessToken)), new Set([200]));
    const headers = [host, `Authorization: Bearer ${accessToken}`, 'Content-Length: 0'];
    const { status } = await sendRaw(child.port, formatRawRequest('POST /api/v1/session/logout HTTP/1.1', headers));
    assert.equal(status, 204);
    await waitUntil(
      'the session has ended everywhere',
      async () => (await statusesOf(child.port, accessToken)).every((each) => each === 401),
      20_000,
    );
  });

  test('[replicas.03] a worker that is killed is started again, while the other one serves', async () => {
    const earlier = workersOf(child);
    assert.equal(earlier.length, 2);
    const [killed = -1, kept = -1] = earlier;
    process.kill(killed, 'SIGKILL');
    await waitUntil('it has ended', () => logOf(child).some(({ msg }) => msg === 'a worker has ended'));
    assert.deepEqual(new Set(await statusesOf(child.port, token)), new Set([200]));
    await waitUntil('another one has started', async () => {
      const counts = await requestsByWorker(child).catch(() => new Map());
      await statusesOf(child.port, token);
      return counts.size === 2;
    });
    const later = workersOf(child);
    assert.ok(later.length === 2 && later.includes(kept) && !later.includes(killed), JSON.stringify([earlier, later]));
  });

  test('[replicas.03] a stop signal lets both workers finish, and ends all processes with 0', async () => {
    const workers = workersOf(child);
    const answers = Array.from({ length: 4 }, () => logIn(child.port, 'anna', password));
    await waitUntil('they have arrived', async () => /active_requests\S* [1-9]/.test(await metricsText(child)));
    child.signal('SIGTERM');
    assert.deepEqual(new Set((await Promise.all(answers)).map(({ status }) => status)), new Set([200]));
    assert.deepEqual(await child.ended, { code: 0, signal: null });
    for (const pid of workers) assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
    const messages = logOf(child).map(({ msg }) => msg);
    assert.ok(!messages.includes('shutdown timed out'), messages.join('; '));
  });
});

const metricsText = async ({ metricsUrl }: ServeProcess): Promise<string> => (await fetch(metricsUrl)).text();

describe('PORTAL_WORKERS and the demo', () => {
  test('[replicas.02] demo data is created once, before the workers start', async (t) => {
    const storage = await createStorage('sqlite');
    t.after(() => storage.release());
    const settings = { PORTAL_STORAGE: storage.storageUrl, PORTAL_TENANTS: tenants };
    assert.equal((await runPortal(['demo', '--postings', '300'], settings)).code, 0);
    const child = await startServeProcess({ ...settings, PORTAL_WORKERS: '2' }, {}, ['--demo']);
    t.after(() => child.kill());
    const lines = logOf(child);
    assert.equal(lines.filter(({ msg }) => msg === 'demo data').length, 1);
    assert.equal((await logIn(child.port, 'owner', 'demo-Password-1')).status, 200);
    child.signal('SIGTERM');
    assert.deepEqual(await child.ended, { code: 0, signal: null });
  });
});
