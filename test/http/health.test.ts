// /livez and /readyz: whether the process answers, and whether every tenant's storage is migrated and can be written.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { noMariaDb, startMariaDb } from '../support/mariadb-server.ts';
import { mockMonotonicClock } from '../support/instances.ts';
import { createStorage, onBothEngines, startService, type TestService } from '../support/service.ts';
import { sendRaw, formatRawRequest, type RawReply } from './support/raw-http.ts';

const tenants = ['sund', 'fjord', 'malar', 'linden', 'thames', 'island'];

const ask = ({ port }: TestService, path: string, method = 'GET'): Promise<RawReply> =>
  sendRaw(port, formatRawRequest(`${method} ${path} HTTP/1.1`, ['Host: 10.0.0.1']));

/** Ready, or what is not: and alive all the while. */
async function readiness(service: TestService): Promise<string> {
  assert.deepEqual((await ask(service, '/livez')).json, { status: 'ok' });
  const { status, json, headers } = await ask(service, '/readyz');
  assert.equal(headers['cache-control'], 'no-store');
  if (status === 200) assert.deepEqual(json, { status: 'ok' });
  else assert.deepEqual([json.status, json.code, headers['retry-after']], [503, 'not-ready', '5']);
  return `${status} ${json.detail ?? 'ready'}`;
}

/** Older than an answer about storage may be. */
const laterMs = 5000;

onBothEngines((engine) => {
  test('[public.26] /readyz is 503 naming the migrations until every tenant has them, and /livez 200 all the while', async () => {
    const service = await startService(engine, { tenants: [] });
    try {
      assert.equal(await readiness(service), '503 migrations');
      for (const tenant of tenants) {
        assert.equal(await readiness(service), '503 migrations', `before ${tenant}`);
        await service.services.databases.migrate(tenant);
      }
      assert.equal(await readiness(service), '200 ready');
      const head = await ask(service, '/readyz', 'HEAD');
      assert.deepEqual([head.status, head.text], [200, '']);
    } finally {
      await service.stop();
    }
  });
});

test('looking whether a database is there does not make one', async () => {
  const storage = await createStorage('sqlite');
  const directory = storage.storageUrl.slice('sqlite:'.length);
  const service = await startService('sqlite', { storage, tenants: ['sund'] });
  assert.equal(await readiness(service), '503 migrations');
  await service.stop();
  assert.deepEqual(
    readdirSync(directory).filter((file) => file.endsWith('.sqlite')),
    ['sund.sqlite'],
  );
  await storage.release();
});

test('[public.26] /readyz is 503 naming the database while a tenant cannot be written (sqlite)', async () => {
  const storage = await createStorage('sqlite');
  const service = await startService('sqlite', { storage, tenants });
  const clock = mockMonotonicClock();
  const other = new DatabaseSync(join(storage.storageUrl.slice('sqlite:'.length), 'linden.sqlite'));
  try {
    assert.equal(await readiness(service), '200 ready');
    // Another process holds the write lock and does not let go of it.
    other.exec('begin immediate');
    clock.advance(laterMs);
    assert.equal(await readiness(service), '503 database');
    other.exec('rollback');
    clock.advance(laterMs);
    assert.equal(await readiness(service), '200 ready');
  } finally {
    other.close();
    clock.restore();
    await service.stop();
    await storage.release();
  }
});

test(
  '[public.26] /readyz is 503 naming the database while its server is gone (mariadb)',
  { skip: noMariaDb },
  async () => {
    const server = await startMariaDb();
    assert.ok(server !== undefined);
    const storage = { storageUrl: server.url('health_'), release: () => server.stop() };
    const service = await startService('mariadb', { storage, tenants });
    const clock = mockMonotonicClock();
    try {
      assert.equal(await readiness(service), '200 ready');
      server.kill();
      clock.advance(laterMs);
      assert.equal(await readiness(service), '503 database');
      await server.restart();
      clock.advance(laterMs);
      assert.equal(await readiness(service), '200 ready');
    } finally {
      clock.restore();
      await service.stop();
      await storage.release();
    }
  },
);
