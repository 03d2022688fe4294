// How often the public statistics are measured, how they fail, and who may ask.
import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { before, test } from 'node:test';
import { waitUntil } from '../support/async.ts';
import { insertTestBank, insertTestResident } from '../support/factories.ts';
import { mockMonotonicClock } from '../support/instances.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { minuteMs, testNow } from '../support/times.ts';
import { callWithoutStorage } from '../support/without-storage.ts';
import {
  activeUsersPath,
  countReads,
  post,
  purchaseMapPath,
  purchasesPath,
  statisticsPaths,
  withFreshInstance,
} from './support/statistics.ts';

const settings = { PORTAL_ALLOWED_ORIGINS: 'https://portal.example' };
const options = { tenants: ['sund', 'fjord'], now: testNow, settings, manager: false } as const;

serviceSuite(options, ({ service, clock, issueToken }) => {
  before(async () => {
    await service.write('sund', async (db) => {
      await insertTestBank(db);
      await insertTestResident(db, 1001);
    });
    await post(service, 1001, [{ recordedAt: testNow }]);
  });

  for (const [path, maxAgeMs] of [
    [purchasesPath, minuteMs],
    [purchaseMapPath, minuteMs],
    [activeUsersPath, 5 * minuteMs],
  ] as const)
    test(`[public.11, public.16, public.24] ${path} is measured once in ${maxAgeMs / minuteMs} minutes at most`, async () => {
      const { counted, replaced } = countReads(service);
      await withFreshInstance(
        service,
        async ({ call }) => {
          const monotonic = mockMonotonicClock({ standsStill: true });
          try {
            const first = await call('GET', path);
            clock.now += maxAgeMs - 1;
            monotonic.advance(maxAgeMs - 1);
            const again = await call('GET', path);
            assert.deepEqual([again.text, counted.reads], [first.text, 1]);
            clock.now += 1;
            // Sums of the monotonic clock are rounded.
            monotonic.advance(2);
            const { json } = await call('GET', path);
            assert.equal(counted.reads, 2);
            assert.equal(Date.parse(json.measuredAtUtc) - Date.parse(first.json.measuredAtUtc), maxAgeMs);
            assert.equal(Date.parse(json.sinceUtc) - Date.parse(first.json.sinceUtc), maxAgeMs);
          } finally {
            monotonic.restore();
          }
        },
        replaced,
      );
    });

  test('[public.11, public.24] purchases and map are of one measurement', async () => {
    const { counted, replaced } = countReads(service);
    await withFreshInstance(
      service,
      async ({ call }) => {
        const { json: purchases } = await call('GET', purchasesPath);
        const { json: map } = await call('GET', purchaseMapPath);
        assert.equal(counted.reads, 1);
        assert.equal(map.unplacedCount, purchases.count);
      },
      replaced,
    );
  });

  for (const path of statisticsPaths)
    test(`[public.11, public.16] requests for ${path} that arrive together share one query, on both hosts`, async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const { counted, replaced } = countReads(service, promise);
      await withFreshInstance(
        service,
        async ({ call }) => {
          const hosts = ['api.sund.localhost', 'beta.api.sund.localhost'];
          const asked = Array.from({ length: 40 }, (_, at) => call('GET', path, { host: hosts[at % 2] ?? '' }));
          await waitUntil('all have arrived', () => counted.requests === asked.length);
          resolve();
          const texts = new Set((await Promise.all(asked)).map(({ text }) => text));
          assert.deepEqual([texts.size, counted.reads], [1, 1]);
        },
        replaced,
      );
    });

  for (const path of statisticsPaths)
    test(`[public.17, public.24] without storage ${path} is 503 with Retry-After: 60, and measured again afterwards`, async () => {
      await withFreshInstance(service, async ({ call }) => {
        const table = path === activeUsersPath ? 'residents' : 'locations';
        const { status, json, headers } = await callWithoutStorage(service, () => call('GET', path), table);
        assert.deepEqual([status, json.code, headers['retry-after']], [503, 'statistics-unavailable', '60']);
        assert.equal(json.count, undefined);
        // A failure is kept for five seconds.
        const monotonic = mockMonotonicClock({ standsStill: true });
        try {
          assert.equal((await call('GET', path)).status, 503);
          monotonic.advance(5001);
          assert.equal((await call('GET', path)).status, 200);
        } finally {
          monotonic.restore();
        }
      });
    });

  for (const path of statisticsPaths)
    test(`[public.17] with a table missing ${path} is 503 with Retry-After: 60`, async () => {
      const rename = (from: string, to: string) =>
        service.write('sund', (db) => sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(db));
      await rename('postings', 'postings_away');
      try {
        await withFreshInstance(service, async ({ call }) => {
          const { status, json, headers } = await call('GET', path);
          assert.deepEqual([status, json.code, headers['retry-after']], [503, 'statistics-unavailable', '60']);
        });
      } finally {
        await rename('postings_away', 'postings');
      }
    });

  test('[public.17] concurrent requests query failing storage only once at a time', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { counted, replaced } = countReads(service, promise);
    await withFreshInstance(
      service,
      async ({ call }) => {
        const asked = Array.from({ length: 20 }, () => call('GET', purchasesPath, { host: 'api.malar.localhost' }));
        await waitUntil('all have arrived', () => counted.requests === asked.length);
        resolve();
        // The databases of this tenant were never made.
        for (const { status } of await Promise.all(asked)) assert.equal(status, 503);
        assert.equal(counted.reads, 1);
      },
      replaced,
    );
  });

  test('[public.19] only the host selects the tenant of the statistics, with any token', async () => {
    const token = await issueToken();
    for (const path of statisticsPaths)
      for (const tenant of ['sund', 'fjord'])
        for (const host of [`api.${tenant}.localhost`, `beta.api.${tenant}.localhost`]) {
          const { status, json } = await service.call('GET', path, { host, token });
          assert.deepEqual([status, json.tenantKid], [200, tenant], host);
          assert.equal(json.count ?? json.unplacedCount, tenant === 'sund' ? 1 : 0);
        }
  });

  test('[public.16, public.19, public.25] no query name is known', async () => {
    for (const path of statisticsPaths)
      for (const query of ['x=1', 'tenantKid=fjord', 'bankKid=sund-B1001', 'hours=2', 'x']) {
        const { status, json } = await service.call('GET', `${path}?${query}`);
        assert.deepEqual([status, json.code], [400, 'invalid-request'], `${path}?${query}`);
      }
  });

  test('[public.18] pages of a configured origin can read them, and no others', async () => {
    for (const path of statisticsPaths)
      for (const [origin, expected] of [
        ['https://portal.example', 'https://portal.example'],
        ['https://portal.example:8443', undefined],
        ['http://portal.example', undefined],
        ['https://www.portal.example', undefined],
        ['null', undefined],
      ] as const) {
        const { status, headers } = await service.call('GET', path, { headers: { origin } });
        assert.deepEqual([status, headers['access-control-allow-origin']], [200, expected], `${path} ${origin}`);
      }
  });
});
