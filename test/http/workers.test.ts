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
import { runPortal, startPortal, startServeProcess, type ServeProcess } from '../support/portal-process.ts';
import { formatRawRequest, sendRaw } from './support/raw-http.ts';

const host = 'Host: api.sund.localhost';
const me = '/api/v1/session/me';
const login = '/api/v1/session/login';
const password = 'a long and secret passphrase';
/** The supervisor gives connections to the workers in turn. */
const someConnections = 8;
/** Requests of a manager in a minute. */
const limit = 300;

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
const workersOf = ({ pid }: Pick<ServeProcess, 'pid'>): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .flatMap((id) => (id.trim() === '' ? [] : [Number(id)]));

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

  test('[replicas.02, replicas.07] requests of a manager count once over both workers', async (t) => {
    const limited = await startServeProcess({ ...settings, PORTAL_RATE_LIMIT: `${limit},1000000` });
    t.after(() => limited.kill());
    /** By the minute of the clock in which the limit counts. */
    const allowed = new Map<number, number>();
    // Each connection is one of the next worker.
    for (let refused = 0; refused < someConnections;) {
      const { status, headers } = await ask(limited.port, token);
      refused = status === 429 ? refused + 1 : 0;
      const [, seconds] = /"principal";r=\d+;t=(\d+)/.exec(headers['ratelimit'] ?? '') ?? [];
      const minute = Math.round((Date.now() / 1000 + Number(seconds)) / 60);
      if (status === 200) allowed.set(minute, (allowed.get(minute) ?? 0) + 1);
    }
    // Both would let through twice the limit.
    for (const count of allowed.values()) assert.ok(count < 1.5 * limit, String(count));
    assert.ok([...allowed.values()].some((count) => count >= limit));
    limited.signal('SIGTERM');
    assert.deepEqual(await limited.ended, { code: 0, signal: null });
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

  for (const signal of ['SIGTERM', 'SIGKILL'] as const)
    test(`[replicas.03] workers that get ${signal} during their first start are started again, and the service gets ready`, async () => {
      const starting = startPortal(['serve'], { ...settings, PORTAL_PORT: '0', PORTAL_METRICS_PORT: '0' });
      const readLog = (): Line[] =>
        starting
          .stdout()
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line) as Line);
      try {
        // The second one starts when the first is ready.
        const killed = new Set<number>();
        await waitUntil('each was ended once', () => {
          const found = workersOf(starting).filter((id) => !killed.has(id));
          const isFirst = killed.size === 0;
          const next = isFirst ? found[0] : found.length === 2 ? Math.max(...found) : undefined;
          if (next === undefined) return false;
          process.kill(next, signal);
          killed.add(next);
          return killed.size === 2;
        });
        const ended = () => readLog().filter(({ msg, code }) => msg === 'a worker has ended' && code !== undefined);
        await waitUntil('both have ended', () => ended().length === 2);
        await waitUntil('it is ready', () => readLog().some(({ msg }) => msg === 'ready'));
        assert.deepEqual(new Set(ended().map((line) => line['signal'])), new Set([signal]));
        assert.deepEqual(new Set(ended().map(({ worker }) => worker)), new Set([1, 2]));
        const url = String(readLog().find(({ msg }) => msg === 'ready')?.['url']);
        assert.deepEqual(new Set(await statusesOf(Number(new URL(url).port), token)), new Set([200]));
        assert.equal(workersOf(starting).length, 2);
        starting.signal('SIGTERM');
        assert.deepEqual(await starting.ended, { code: 0, signal: null });
      } finally {
        starting.signal('SIGKILL');
        await starting.ended;
      }
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
  test('[replicas.02] demo data is created once, before the workers start, and the simulator runs in one of them', async (t) => {
    const storage = await createStorage('sqlite');
    t.after(() => storage.release());
    const settings = { PORTAL_STORAGE: storage.storageUrl, PORTAL_TENANTS: tenants };
    assert.equal((await runPortal(['demo', '--postings', '300'], settings)).code, 0);
    const child = await startServeProcess({ ...settings, PORTAL_WORKERS: '2' }, {}, ['--demo']);
    t.after(() => child.kill());
    const lines = logOf(child);
    assert.equal(lines.filter(({ msg }) => msg === 'demo data').length, 1);
    assert.equal((await logIn(child.port, 'owner', 'demo-Password-1')).status, 200);
    const isStream = ({ path, status }: Line): boolean => String(path).includes('/streams/') && status === 200;
    await waitUntil('it sends', async () => logOf(child).some(isStream), 60_000);
    // Another one would have made new codes for the computers of the first, and enrolled them again.
    assert.deepEqual(
      logOf(child).filter(({ msg }) => msg === 'the simulator failed'),
      [],
    );
    child.signal('SIGTERM');
    assert.deepEqual(await child.ended, { code: 0, signal: null });
    const service = await startService('sqlite', { storage, tenants: [] });
    t.after(() => service.stop());
    const enrolments = await service.read('sund', (db) =>
      db.selectFrom('audit_entries').select('object').where('operation', '=', 'EnrolComputer').execute(),
    );
    assert.ok(enrolments.length > 0);
    assert.equal(new Set(enrolments.map(({ object }) => object)).size, enrolments.length);
  });
});
