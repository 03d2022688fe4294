import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startService } from '../support/service.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { testNow } from '../support/times.ts';

const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  version: string;
};
const path = '/api/v1/public/status';

serviceSuite({ tenants: ['sund', 'fjord'], now: testNow, manager: false }, ({ engine, service }) => {
  test('[public.01, public.19, public.20] anyone gets tenant, environment, version and time', async () => {
    const { status, json, headers } = await service.call('GET', path);
    assert.equal(status, 200);
    assert.deepEqual(json, {
      tenantKid: 'sund',
      environment: 'production',
      version: manifest.version,
      status: 'ok',
      measuredAtUtc: '2026-06-15T09:30:00.000Z',
    });
    assert.equal(headers['cache-control'], 'no-store');
    const beta = await service.call('GET', path, { host: 'beta.api.fjord.localhost' });
    assert.deepEqual([beta.json.tenantKid, beta.json.environment], ['fjord', 'beta']);
  });

  test('[contract.11] documents, status and package.json give one version', async () => {
    const { json } = await service.call('GET', path);
    assert.equal(json.version, manifest.version);
    for (const name of ['public-v1', 'downloads-v1', 'portal-v1']) {
      const document = await service.call('GET', `/openapi/${name}.json`);
      assert.equal(document.json.info.version, manifest.version, name);
    }
  });

  test('[public.20] a database that cannot be written makes the status degraded', async () => {
    const broken = await startService(engine);
    await broken.write('sund', (db) => db.schema.dropTable('health').execute());
    const { status, json } = await broken.call('GET', path);
    await broken.stop();
    assert.deepEqual([status, json.status], [200, 'degraded']);
  });

  test('the status takes no query', async () => {
    const { status, json } = await service.call('GET', `${path}?verbose=1`);
    assert.deepEqual([status, json.code], [400, 'invalid-request']);
  });
});
