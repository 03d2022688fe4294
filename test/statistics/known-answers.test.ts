// A statistic that is kept is answered without the framework: the answer is the same as with it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallOptions, HttpReply } from '../support/call.ts';
import { insertTestBank } from '../support/factories.ts';
import { serviceFixture } from '../support/service-suite.ts';
import { testNow } from '../support/times.ts';
import { post, purchaseMapPath, statisticsPaths, withFreshInstance } from './support/statistics.ts';

const { service } = serviceFixture('sqlite', { now: testNow, manager: false, tenants: ['sund', 'fjord'] });

// A request with a condition is served by the framework.
const byFramework: CallOptions = { headers: { 'if-none-match': '"another"' } };

const lasting = ({ status, headers, text }: HttpReply): unknown => [
  status,
  Object.entries(headers)
    .filter(([name]) => !['date', 'traceparent', 'x-request-id', 'ratelimit'].includes(name))
    .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  text,
];

for (const allowedOrigins of [[], ['https://portal.example']])
  test(`[public.11, public.16, public.24] kept statistics have the same headers and body on either path, with ${allowedOrigins.length} other origins`, async () => {
    const rateLimit = { addressPerMinute: 6000, principalPerMinute: 12_000 };
    await withFreshInstance(
      service,
      async ({ call }) => {
        for (const path of statisticsPaths)
          for (const headers of [
            {},
            { accept: 'text/plain' },
            { accept: 'text/html, */*;q=0.1' },
            { accept: 'image/png' },
            { 'accept-encoding': 'gzip' },
            { 'accept-encoding': 'gzip, identity;q=0' },
            { origin: 'https://portal.example' },
          ]) {
            const expected = await call('GET', path, { headers: { ...byFramework.headers, ...headers } });
            assert.equal(expected.status, 200);
            assert.deepEqual(lasting(await call('GET', path, { headers })), lasting(expected), JSON.stringify(headers));
          }
      },
      { config: { ...service.dependencies.config, allowedOrigins, rateLimit } },
    );
  });

test('[public.11] each tenant has its own', async () => {
  await withFreshInstance(service, async ({ call }) => {
    for (const [turn, path] of [...statisticsPaths.entries(), ...statisticsPaths.entries()])
      for (const tenant of ['sund', 'fjord']) {
        const { json } = await call('GET', path, { host: `api.${tenant}.localhost` });
        assert.equal(json.tenantKid, tenant, `${path} ${turn}`);
      }
  });
});

test('a request with a query, by another method, or on an unknown host is refused as usual', async () => {
  await withFreshInstance(service, async ({ call }) => {
    for (const path of statisticsPaths) {
      await call('GET', path);
      assert.equal((await call('GET', `${path}?since=1`)).json.code, 'invalid-request');
      assert.equal((await call('POST', path)).json.code, 'method-not-allowed');
      assert.equal((await call('GET', path, { host: 'api.oslo.localhost' })).json.code, 'unknown-host');
      assert.equal((await call('HEAD', path)).status, 200);
    }
  });
});

test('a map of many points is compressed for clients that ask for it, kept or not', async () => {
  const locationIds = Array.from({ length: 60 }, (_, at) => at + 1);
  await service.write('sund', async (db) => {
    await insertTestBank(db, { places: Object.fromEntries(locationIds.map((id) => [id, [1]])) });
    for (const locationId of locationIds)
      await db
        .updateTable('locations')
        .set({ latitude: locationId, longitude: locationId })
        .where('location_id', '=', locationId)
        .execute();
  });
  await post(
    service,
    1001,
    locationIds.map((locationId) => ({ recordedAt: testNow, locationId })),
  );
  await withFreshInstance(service, async ({ call }) => {
    const plain = await call('GET', purchaseMapPath);
    assert.equal(plain.json.points.length, 60);
    for (let turn = 0; turn < 2; turn += 1) {
      const { headers } = await call('GET', purchaseMapPath, { headers: { 'accept-encoding': 'gzip' } });
      assert.equal(headers['content-encoding'], 'gzip');
      assert.equal((await call('GET', purchaseMapPath)).text, plain.text);
    }
  });
});
