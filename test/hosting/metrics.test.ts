// GetHostingMetrics with a provider of the operator's choice: the answer, its partial failures, its cache, and who is
// refused.

import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { permissions, tabs } from '../../src/permissions/matrix.ts';
import type { CallOptions } from '../support/call.ts';
import type { ManagerOptions } from '../support/factories.ts';
import { json, status } from '../support/fake-provider.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { hourMs, testNow } from '../support/times.ts';
import { matrixOf, startFakeHosting } from './support/fake-hosting.ts';
import { appId, canary, databaseId, writeHostingFile } from './support/provider-settings.ts';

const fake = await startFakeHosting();
const file = writeHostingFile(fake);
after(async () => {
  await fake.stop();
  file.remove();
});

const appMetrics = ['cpu_percentage', 'memory_percentage', 'restart_count'];
const databaseMetrics = ['cpu_usage', 'memory_usage', 'disk_usage', 'threads_connected'];
const epoch = Date.UTC(2000, 0, 1);
const yesterdayOf = (ms2000: number): string => new Date(ms2000 + epoch - 24 * hourMs).toISOString().slice(0, 10);

serviceSuite({ now: testNow, settings: { PORTAL_HOSTING: file.path } }, ({ service, manager, clock, issueToken }) => {
  const get = (query = '', options: CallOptions = manager) =>
    service.call('GET', `/api/v1/hosting/metrics${query}`, options);
  let at = 0;

  function answerWell(bytes = '18446744073709551615'): void {
    fake.reset();
    const seconds = Math.floor((clock.now + epoch) / 1000) - 120;
    const values: [number, string][] = [
      [seconds, '5.5'],
      [seconds + 60, 'NaN'],
    ];
    const metric = { app_component: 'api', app_component_instance: 'api-0' };
    for (const name of appMetrics)
      fake.answers.set(name, json(matrixOf({ metric, values }, { metric: {}, values: [] })));
    for (const name of databaseMetrics) fake.answers.set(name, json(matrixOf({ metric: {}, values })));
    fake.answers.set('bandwidth_daily', (request, response) => {
      const date = new URL(request.url ?? '', fake.url).searchParams.get('date');
      json({ app_bandwidth_usage: [{ app_id: appId, bandwidth_bytes: bytes }], date })(request, response);
    });
  }

  // No test reads what another one has left in the cache.
  beforeEach(() => {
    clock.now += (at += 1) * hourMs;
    answerWell();
  });

  test('[metrics.01, metrics.04, metrics.05, metrics.06] by default the answer is of portal-api on beta, for a day', async () => {
    const { status: code, json: body, headers, text } = await get();
    assert.equal(code, 200, text);
    assert.equal(headers['cache-control'], 'no-store');
    const toUtc = new Date(clock.now + epoch).toISOString();
    const { metrics, bandwidth, ...rest } = body;
    assert.deepEqual(rest, {
      environment: 'beta',
      application: 'portal-api',
      fromUtc: new Date(clock.now + epoch - 24 * hourMs).toISOString(),
      toUtc,
      fetchedAtUtc: toUtc,
      refreshAfterSeconds: 60,
    });
    const timestampUtc = new Date(clock.now + epoch - 120_000).toISOString();
    const series = [
      {
        component: 'api',
        instance: 'api-0',
        points: [
          { timestampUtc, value: 5.5 },
          { timestampUtc: new Date(clock.now + epoch - 60_000).toISOString(), value: null },
        ],
      },
      { component: '2', instance: '2', points: [] },
    ];
    assert.deepEqual(metrics, [
      { name: 'cpu', unit: 'percent', series, errorCode: null },
      { name: 'memory', unit: 'percent', series, errorCode: null },
      { name: 'restarts', unit: 'count', series, errorCode: null },
    ]);
    assert.deepEqual(bandwidth, { dateUtc: yesterdayOf(clock.now), bytes: '18446744073709551615', errorCode: null });
  });

  test('[metrics.06, metrics.07] mysql has four metrics, and no bandwidth', async () => {
    const { json: body } = await get('?application=mysql&hours=6');
    assert.equal(body.bandwidth, null);
    assert.deepEqual(
      body.metrics.map(({ name, unit, errorCode }: Record<string, unknown>) => [name, unit, errorCode]),
      [
        ['cpu', 'percent', null],
        ['memory', 'percent', null],
        ['disk', 'percent', null],
        ['connections', 'count', null],
      ],
    );
    assert.equal(body.metrics[0].series[0].component, '1');
    assert.equal(fake.count('bandwidth_daily'), 0);
    const ofDatabase = fake.requests.map(({ url }) => url.searchParams.get('db_id'));
    assert.deepEqual(new Set(ofDatabase), new Set([databaseId]));
  });

  test('[metrics.02, metrics.14] any other selection is 400 invalid-hosting-selection, and no provider is asked', async () => {
    const refused = [
      'environment=test',
      'environment=',
      'application=postgres',
      'application=MYSQL',
      'hours=0',
      'hours=2',
      'hours=25',
      'hours=-1',
      'hours=1.0',
      'hours=01',
      'hours=one',
      'hours=',
      'hours=1&hours=1',
      `appId=${appId}`,
      'app_id=x',
      `db_id=${databaseId}`,
      'tenant=fjord',
      'url=http%3A%2F%2F169.254.169.254%2F',
      'query=up',
    ];
    for (const query of refused) {
      const { status: code, json: body } = await get(`?${query}`);
      assert.deepEqual([code, body.code], [400, 'invalid-hosting-selection'], query);
    }
    assert.equal(fake.requests.length, 0);
    for (const hours of [1, 6, 24]) {
      const { json: body } = await get(`?hours=${hours}`);
      assert.equal(Date.parse(body.toUtc) - Date.parse(body.fromUtc), hours * hourMs);
    }
  });

  test('[metrics.14] the operator’s resource is measured, whatever else the request contains', async () => {
    const headers = { 'x-app-id': 'other', 'x-forwarded-host': 'api.fjord.localhost', cookie: `app_id=other` };
    assert.equal((await get('', { ...manager, headers })).status, 200);
    for (const { url, headers: sent } of fake.requests) {
      assert.ok(url.pathname.includes(appId) || url.searchParams.get('app_id') === appId, url.href);
      assert.equal(sent.authorization, `Bearer ${canary}`);
      assert.ok(!`${url.href}${JSON.stringify(sent)}`.includes('other'));
    }
  });

  test('[metrics.08] bandwidth is of yesterday in UTC, whatever hours says', async () => {
    for (const time of ['2027-01-01T00:00:00Z', '2027-01-01T23:59:59.999Z', '2027-03-01T00:30:00Z']) {
      clock.now = Date.parse(time) - epoch;
      answerWell();
      for (const hours of [1, 6, 24]) {
        const { dateUtc, bytes } = (await get(`?hours=${hours}`)).json.bandwidth;
        assert.deepEqual([dateUtc, bytes], [yesterdayOf(clock.now), '18446744073709551615'], time);
      }
      assert.equal(fake.count('bandwidth_daily'), 1, 'the same for all windows');
    }
  });

  test('[metrics.10, metrics.11] a failed part has its errorCode inside 200, and the others have their data', async () => {
    fake.answers.set('memory_percentage', status(500));
    const { status: code, json: body } = await get();
    assert.equal(code, 200);
    assert.deepEqual(
      body.metrics.map(({ series, errorCode }: { series: unknown[]; errorCode: unknown }) => [
        series.length,
        errorCode,
      ]),
      [
        [2, null],
        [0, 'hosting-source-unavailable'],
        [2, null],
      ],
    );
    assert.equal(body.bandwidth.errorCode, null);
    clock.now += 60_000;
    answerWell();
    fake.answers.set('bandwidth_daily', status(503));
    const { bandwidth, metrics } = (await get()).json;
    assert.deepEqual([bandwidth.bytes, bandwidth.errorCode], [null, 'hosting-source-unavailable']);
    assert.ok(metrics.every(({ errorCode }: { errorCode: unknown }) => errorCode === null));
    clock.now += 60_000;
    answerWell();
    for (const name of appMetrics) fake.answers.set(name, status(500));
    const last = await get();
    assert.deepEqual([last.status, last.json.bandwidth.bytes], [200, '18446744073709551615']);
  });

  test('[metrics.10] missing data is empty or null, and not a failure', async () => {
    for (const name of appMetrics) fake.answers.set(name, json(matrixOf()));
    fake.answers.set('bandwidth_daily', json({ app_bandwidth_usage: [], date: `${yesterdayOf(clock.now)}T00:00:00Z` }));
    const { json: body } = await get();
    for (const { series, errorCode } of body.metrics) assert.deepEqual([series, errorCode], [[], null]);
    assert.deepEqual([body.bandwidth.bytes, body.bandwidth.errorCode], [null, null]);
  });

  test('[metrics.12] when every source has failed it is 503 hosting-unavailable; without configuration hosting-not-configured', async () => {
    fake.answers.clear();
    for (const query of ['', '?application=mysql']) {
      const { status: code, json: body, headers } = await get(query);
      assert.deepEqual([code, body.code, headers['retry-after']], [503, 'hosting-unavailable', '60']);
    }
    for (const query of ['?environment=production', '?environment=production&application=mysql']) {
      const { status: code, json: body } = await get(query);
      assert.deepEqual([code, body.code], [503, 'hosting-not-configured']);
    }
  });

  test('[metrics.13] results and failures are cached for a minute', async () => {
    const [first] = await Promise.all([get(), get(), get()]);
    assert.equal(fake.requests.length, 4);
    clock.now += 59_999;
    fake.answers.clear();
    assert.deepEqual((await get()).json, first.json);
    assert.equal(fake.requests.length, 4);
    clock.now += 1;
    for (let calls = 0; calls < 3; calls += 1) assert.equal((await get()).status, 503);
    assert.equal(fake.requests.length, 8);
    answerWell();
    clock.now += 59_999;
    assert.equal((await get()).status, 503);
    clock.now += 1;
    assert.equal((await get()).status, 200);
  });

  test('[metrics.13] a failure of bandwidth is cached for a minute, and no longer through the answer for another window', async () => {
    fake.answers.set('bandwidth_daily', status(503));
    const errorCodeOf = async (hours: number): Promise<unknown> =>
      (await get(`?hours=${hours}`)).json.bandwidth.errorCode;
    assert.equal(await errorCodeOf(1), 'hosting-source-unavailable');
    answerWell();
    clock.now += 59_000;
    assert.equal(await errorCodeOf(6), 'hosting-source-unavailable');
    clock.now += 1000;
    assert.equal(await errorCodeOf(6), null);
    assert.equal(fake.count('bandwidth_daily'), 1);
  });

  test('[auth.14, metrics.03, metrics.13] each missing right has its code, even if the measurements are cached', async () => {
    assert.equal((await get()).status, 200);
    const refused: [options: ManagerOptions, code: string][] = [
      [{ tabs: tabs.filter((each) => each !== 'Hosting1') }, 'missing-hosting-tab'],
      [{ tabs: ['Logs1'] }, 'missing-hosting-tab'],
      [{ tabs: [], permissions: [], grants: [] }, 'missing-hosting-tab'],
      [{ permissions: permissions.filter((each) => each !== 'Managers.Read') }, 'missing-managers-read'],
      [{ grants: [{ bankId: 1001, locationId: 0 }] }, 'missing-tenant-access'],
      [{ grants: [{ bankId: 1001, locationId: 1 }] }, 'missing-tenant-access'],
      [{ grants: [] }, 'missing-tenant-access'],
    ];
    for (const [options, code] of refused) {
      const { status: refusal, json: body } = await get('', { token: await issueToken(options) });
      assert.deepEqual([refusal, body.code, body.reason, body.metrics], [403, code, undefined, undefined]);
    }
    assert.equal((await get('', {})).status, 401);
    const least = await issueToken({ tabs: ['Hosting1'], permissions: ['Managers.Read'] });
    assert.equal((await get('', { token: least })).status, 200);
    assert.equal(fake.requests.length, 4);
  });

  test('[hostlogs.10] neither an answer nor a refusal reveals the provider', async () => {
    const replies = [await get()];
    clock.now += 60_000;
    for (const name of appMetrics) fake.answers.set(name, json({ message: `${canary} is wrong` }, 401));
    replies.push(await get());
    clock.now += 60_000;
    fake.answers.clear();
    replies.push(await get(), await get('?environment=production'));
    for (const { text, headers } of replies)
      for (const secret of [canary, fake.url, String(fake.port), appId])
        assert.ok(!(text + JSON.stringify(headers)).includes(secret), text);
  });
});
