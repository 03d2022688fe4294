// /livez and /readyz: whether the process answers, and whether every tenant's storage is migrated and can be written.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { FailedCheck } from '../../src/database/checks/diagnosis.ts';
import { lockAndClosePeriod } from '../../src/features/account/queries/ledger.ts';
import { appendAudit } from '../../src/features/audit/queries/append-audit.ts';
import { createOperatorAuditContext } from '../../src/features/audit/rules/audit-context.ts';
import { createReadinessCheck } from '../../src/http/server/readiness.ts';
import { fromMs2000 } from '../../src/lib/time/ms2000.ts';
import { createLog } from '../../src/log.ts';
import { insertTestBank } from '../support/factories.ts';
import { grantBank } from '../support/granted-banks.ts';
import { noMariaDb, startMariaDb } from '../support/mariadb-server.ts';
import { waitUntil } from '../support/async.ts';
import { mockMonotonicClock, startInstance } from '../support/instances.ts';
import { createStorage, onBothEngines, startService, type TestService } from '../support/service.ts';
import { testNow } from '../support/times.ts';
import { sendRaw, formatRawRequest, type RawReply } from './support/raw-http.ts';

const tenants = ['sund', 'fjord', 'malar', 'linden', 'thames', 'island'];

const ask = ({ port }: TestService, path: string, method = 'GET'): Promise<RawReply> =>
  sendRaw(port, formatRawRequest(`${method} ${path} HTTP/1.1`, ['Host: 10.0.0.1']));

/** Asserts that the process is alive, and returns its readiness: `200 ready`, or the status and the failure. */
async function readiness(service: TestService): Promise<string> {
  assert.deepEqual((await ask(service, '/livez')).json, { status: 'ok' });
  const { status, json, headers } = await ask(service, '/readyz');
  assert.equal(headers['cache-control'], 'no-store');
  if (status === 200) assert.deepEqual(json, { status: 'ok' });
  else assert.deepEqual([json.status, json.code, headers['retry-after']], [503, 'not-ready', '5']);
  return `${status} ${json.detail ?? 'ready'}`;
}

/** On a busy machine a database sometimes does not answer in time at first. */
async function assertReadiness(service: TestService, expected: string, message = expected): Promise<void> {
  let last = '';
  await waitUntil(message, async () => (last = await readiness(service)) === expected).catch(() =>
    assert.equal(last, expected, message),
  );
}

/** Longer than the result of a storage check is cached. */
const laterMs = 5000;

onBothEngines((engine) => {
  test('[public.26] /readyz is 503 and names missing migrations, or a clock that was set back, and /livez is always 200', async () => {
    let now = testNow;
    const service = await startService(engine, { tenants: [], clock: () => fromMs2000(now) });
    const monotonicClock = mockMonotonicClock();
    try {
      await assertReadiness(service, '503 migrations');
      for (const tenant of tenants) {
        await assertReadiness(service, '503 migrations', `before ${tenant}`);
        await service.dependencies.databases.migrate(tenant);
      }
      await assertReadiness(service, '200 ready');
      const head = await ask(service, '/readyz', 'HEAD');
      assert.deepEqual([head.status, head.text], [200, '']);

      await service.write('thames', async (db) => {
        await insertTestBank(db);
        await lockAndClosePeriod(db, grantBank(1001, 'thames'), testNow - 1, testNow);
      });
      for (const [setBackMs, expected] of [
        [1000, '200 ready'],
        [3000, '503 clock'],
        [0, '200 ready'],
      ] as const) {
        now = testNow - setBackMs;
        monotonicClock.advance(laterMs);
        await assertReadiness(service, expected);
      }

      const auditedAt = testNow + 10_000;
      const actor = createOperatorAuditContext('test', () => auditedAt);
      await service.write('fjord', (db) =>
        appendAudit(db, actor, { object: 'fjord', before: null, after: { rows: 1 } }),
      );
      for (const [setBackMs, expected] of [
        [1000, '200 ready'],
        [3000, '503 clock'],
        [0, '200 ready'],
      ] as const) {
        now = auditedAt - setBackMs;
        monotonicClock.advance(laterMs);
        await assertReadiness(service, expected, `${setBackMs} ms behind the audit log`);
      }
    } finally {
      monotonicClock.restore();
      await service.stop();
    }
  });
});

test('the log says when a check begins to fail, when another one fails, and when all pass again', async () => {
  const lines: string[] = [];
  let check: FailedCheck['check'] | undefined;
  const listFailedChecks = createReadinessCheck({
    tenants: ['sund', 'fjord'],
    log: createLog('info', { write: (line) => void lines.push(line) }),
    checkTenant: async (tenant) =>
      check === undefined || tenant === 'fjord'
        ? undefined
        : { tenant, check, problem: 'x', remedy: 'y', storage: 'sund.sqlite', location: 'file z' },
  });
  const monotonicClock = mockMonotonicClock();
  try {
    for (check of ['disk', 'database', undefined, 'database', undefined] as const)
      for (let times = 0; times < 3; times += 1) {
        monotonicClock.advance(laterMs);
        assert.equal((await listFailedChecks()).length, check === undefined ? 0 : 1);
      }
  } finally {
    monotonicClock.restore();
  }
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)).map((line) => [line.level, line.msg, line.tenant, line.check]),
    [
      ['warn', 'the tenant cannot be served', 'sund', 'disk'],
      ['warn', 'the tenant cannot be served', 'sund', 'database'],
      ['info', 'the tenant can be served again', 'sund', undefined],
      ['warn', 'the tenant cannot be served', 'sund', 'database'],
      ['info', 'the tenant can be served again', 'sund', undefined],
    ],
  );
});

test('a health check that succeeds is logged at level debug, one that fails at level info', async () => {
  const service = await startService('sqlite', { tenants: tenants.filter((tenant) => tenant !== 'fjord') });
  const lines: string[] = [];
  const log = createLog('debug', { write: (line: string) => void lines.push(line) });
  const instance = await startInstance(service, { log });
  try {
    for (const path of ['/livez', '/readyz?tenants=any', '/readyz', '/nope']) await instance.call('GET', path);
    const requests = () => lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
    await waitUntil('all are logged', () => requests().length === 4);
    assert.deepEqual(
      requests().map(({ level, path, status }) => [level, path, status]),
      [
        ['debug', '/livez', 200],
        ['debug', '/readyz', 200],
        ['info', '/readyz', 503],
        ['info', '/nope', 404],
      ],
    );
  } finally {
    await instance.stop();
    await service.stop();
  }
});

test('the live log of a tenant that cannot be served says so once, and that of no other tenant does', async () => {
  const service = await startService('sqlite', { tenants: tenants.filter((tenant) => tenant !== 'fjord') });
  try {
    for (const host of ['10.0.0.1', 'api.fjord.localhost', 'api.sund.localhost'])
      assert.equal((await service.call('GET', '/readyz', { host })).status, 503);
    const told = (tenant: string): unknown[] =>
      service.dependencies.liveLog
        .list(tenant)
        .map(({ level, messageTemplate, fields }) => [level, messageTemplate, fields]);
    const failed = ['Warning', 'the tenant cannot be served ({check})', { check: 'migrations' }];
    assert.deepEqual([told('fjord'), told('sund')], [[failed], []]);
    await service.dependencies.databases.migrate('fjord');
    await assertReadiness(service, '200 ready');
    const [newest, ...others] = told('fjord');
    assert.deepEqual([newest, others], [['Information', 'the tenant can be served again', undefined], [failed]]);
  } finally {
    await service.stop();
  }
});

test('checking whether a database exists does not create it', async () => {
  const storage = await createStorage('sqlite');
  const directory = storage.storageUrl.slice('sqlite:'.length);
  const service = await startService('sqlite', { storage, tenants: ['sund'] });
  await assertReadiness(service, '503 migrations');
  await service.stop();
  assert.deepEqual(
    readdirSync(directory).filter((file) => file.endsWith('.sqlite')),
    ['sund.sqlite'],
  );
  await storage.release();
});

test('[public.26] /readyz is 503 and names the database while a tenant cannot be written (sqlite)', async () => {
  const storage = await createStorage('sqlite');
  const service = await startService('sqlite', { storage, tenants });
  const clock = mockMonotonicClock();
  const other = new DatabaseSync(join(storage.storageUrl.slice('sqlite:'.length), 'linden.sqlite'));
  try {
    await assertReadiness(service, '200 ready');
    // Another process holds the write lock and does not release it.
    other.exec('begin immediate');
    clock.advance(laterMs);
    await assertReadiness(service, '503 database');
    other.exec('rollback');
    clock.advance(laterMs);
    await assertReadiness(service, '200 ready');
  } finally {
    other.close();
    clock.restore();
    await service.stop();
    await storage.release();
  }
});

test(
  '[public.26] /readyz is 503 naming the connection while the server is gone (mariadb)',
  { skip: noMariaDb },
  async () => {
    const server = await startMariaDb();
    assert.ok(server !== undefined);
    const storage = { storageUrl: server.url('health_'), release: () => server.stop() };
    const service = await startService('mariadb', { storage, tenants });
    const clock = mockMonotonicClock();
    try {
      await assertReadiness(service, '200 ready');
      server.kill();
      clock.advance(laterMs);
      await assertReadiness(service, '503 connection');
      await server.restart();
      clock.advance(laterMs);
      await assertReadiness(service, '200 ready');
    } finally {
      clock.restore();
      await service.stop();
      await storage.release();
    }
  },
);
