// GetHostingLogs with a provider of the operator's choice: the answer, its bounds and its cache, and who is refused.

import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { permissions, tabs } from '../../src/permissions/matrix.ts';
import type { CallOptions } from '../support/call.ts';
import { createToken, type ManagerOptions } from '../support/factories.ts';
import { json, status, text } from '../support/fake-provider.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { testNow } from '../support/times.ts';
import { startFakeHosting } from './support/fake-hosting.ts';
import { appId, canary, writeHostingFile } from './support/provider-settings.ts';

const fake = await startFakeHosting();
const file = writeHostingFile(fake);
after(async () => {
  await fake.stop();
  file.remove();
});

const logsPath = `/v2/apps/${appId}/logs`;
const answerLines = (lines: readonly string[]): void => {
  fake.reset();
  fake.answers.set(logsPath, json({ historic_urls: [`${fake.url}signed`] }));
  fake.answers.set('/signed', text(lines.join('\n'), 200, 'text/plain'));
};
const answerFailure = (): void => {
  fake.reset();
  fake.answers.set(logsPath, json({ id: 'unauthorized', message: `${canary} of ${appId} is none` }, 401));
};

serviceSuite(
  { now: testNow, tenants: ['sund', 'fjord'], settings: { PORTAL_HOSTING: file.path } },
  ({ service, manager, clock, issueToken }) => {
    // An application other than this service: of the service's own log a tenant sees only its own lines.
    const get = (query = '?application=portal-web', options: CallOptions = manager) =>
      service.call('GET', `/api/v1/hosting/logs${query}`, options);
    let at = 0;
    // No test reads what another one has left in the cache.
    beforeEach(() => {
      clock.now += (at += 1) * 3_600_000;
      answerLines(['api 2026-06-15T09:29:00Z first', 'api 2026-06-15T09:29:01Z \u001B[31m<b>second</b>\u001B[0m']);
    });

    test('[hostlogs.01, hostlogs.04] the answer has the lines as plain text, and is not stored', async () => {
      const { status: code, json: body, headers, text: raw } = await get('?environment=beta&application=portal-web');
      assert.equal(code, 200, raw);
      const { fetchedAtUtc, ...rest } = body;
      assert.deepEqual(rest, {
        environment: 'beta',
        application: 'portal-web',
        lines: ['api 2026-06-15T09:29:00Z first', 'api 2026-06-15T09:29:01Z <b>second</b>'],
        truncated: false,
      });
      assert.equal(Date.parse(fetchedAtUtc), clock.now + Date.UTC(2000, 0, 1));
      assert.equal(headers['cache-control'], 'no-store');
      assert.deepEqual(Object.keys(body), ['environment', 'application', 'fetchedAtUtc', 'lines', 'truncated']);
    });

    test('without a selection it is portal-api on beta', async () => {
      const { json: body } = await get('');
      assert.deepEqual([body.environment, body.application], ['beta', 'portal-api']);
      assert.equal((await get('?Environment=beta&APPLICATION=equipment-api')).json.application, 'equipment-api');
    });

    test('[hostlogs.02, hostlogs.09] any other selection is 400 invalid-hosting-selection, and no provider is asked', async () => {
      const refused = [
        'environment=test',
        'environment=Beta',
        'environment=',
        'environment=beta&environment=beta',
        'application=mysql',
        'application=portal',
        'application=',
        'hours=1',
        'type=BUILD',
        `appId=${appId}`,
        'tenant=fjord',
        'url=http://169.254.169.254/',
        'x',
        'environment=%ff',
      ];
      for (const query of refused) {
        const { status: code, json: body } = await get(`?${query}`);
        assert.deepEqual([code, body.code], [400, 'invalid-hosting-selection'], query);
      }
      assert.equal(fake.requests.length, 0);
    });

    test('[hostlogs.05] at most 100 lines, and 256 KiB of them', async () => {
      answerLines(Array.from({ length: 150 }, (_, line) => `line ${line}`));
      const many = await get();
      assert.deepEqual([many.json.lines.length, many.json.lines[0], many.json.truncated], [100, 'line 50', true]);
      clock.now += 10_000;
      answerLines(Array.from({ length: 90 }, (_, line) => `${line} ${'x'.repeat(4000)}`));
      const large = await get();
      const bytes = Buffer.byteLength(large.json.lines.join('\n'));
      assert.ok(bytes <= 256 * 1024 && bytes > 250 * 1024, `${bytes}`);
      assert.deepEqual([large.json.truncated, large.json.lines.at(-1).slice(0, 2)], [true, '89']);
    });

    test('[hostlogs.06] the source is asked once in ten seconds', async () => {
      const [first] = await Promise.all([get(), get(), get()]);
      assert.equal(fake.count(logsPath), 1);
      answerLines(['newer']);
      clock.now += 9999;
      assert.deepEqual((await get()).json, first.json);
      assert.equal(fake.count(logsPath), 0);
      clock.now += 1;
      assert.deepEqual((await get()).json.lines, ['newer']);
      assert.equal(fake.count(logsPath), 1);
      // Another selection is another source.
      await get('?application=equipment-api');
      assert.equal(fake.count(logsPath), 2);
    });

    test('[hostlogs.06, hostlogs.08] a failure is 503 hosting-unavailable, and is also cached for ten seconds', async () => {
      answerFailure();
      for (let calls = 0; calls < 3; calls += 1) {
        const { status: code, json: body, headers } = await get();
        assert.deepEqual([code, body.code, headers['retry-after']], [503, 'hosting-unavailable', '10']);
      }
      assert.equal(fake.count(logsPath), 1);
      answerLines(['well again']);
      clock.now += 9999;
      assert.equal((await get()).status, 503);
      clock.now += 1;
      assert.deepEqual((await get()).json.lines, ['well again']);
    });

    test('nothing is cached for longer after the clock was set back', async () => {
      await get();
      clock.now -= 3_000_000;
      answerLines(['newer']);
      assert.deepEqual((await get()).json.lines, ['newer']);
    });

    test('[hostlogs.08] a source that is not configured is 503 hosting-not-configured', async () => {
      const { status: code, json: body } = await get('?environment=production');
      assert.deepEqual([code, body.code], [503, 'hosting-not-configured']);
      assert.equal(fake.requests.length, 0);
    });

    const allBut = (tab: string): ManagerOptions => ({ tabs: tabs.filter((each) => each !== tab) });
    const refused: [options: ManagerOptions, code: string][] = [
      [allBut('Logs1'), 'missing-logs-tab'],
      [{ tabs: ['Hosting1'] }, 'missing-logs-tab'],
      [{ tabs: [], permissions: [], grants: [] }, 'missing-logs-tab'],
      [{ permissions: permissions.filter((each) => each !== 'Managers.Read') }, 'missing-managers-read'],
      [{ permissions: [], grants: [{ bankId: 1001, locationId: 0 }] }, 'missing-managers-read'],
      [{ grants: [{ bankId: 1001, locationId: 0 }] }, 'missing-tenant-access'],
      [{ grants: [{ bankId: 1001, locationId: 1 }] }, 'missing-tenant-access'],
      [{ grants: [] }, 'missing-tenant-access'],
    ];

    test('[auth.14, hostlogs.03, hostlogs.07] each missing right has its code, even if the lines are cached', async () => {
      assert.equal((await get()).status, 200);
      for (const [options, code] of refused) {
        const { status: refusal, json: body } = await get(undefined, { token: await issueToken(options) });
        assert.deepEqual([refusal, body.code, body.reason, body.lines], [403, code, undefined, undefined]);
      }
      assert.equal((await get(undefined, {})).status, 401);
      const least = await issueToken({ tabs: ['Logs1'], permissions: ['Managers.Read'] });
      assert.equal((await get(undefined, { token: least })).status, 200);
      assert.equal(fake.count(logsPath), 1);
    });

    test('each tenant sees only its own lines of this service’s log from any provider, which is asked once', async () => {
      const line = (tenant: string): string =>
        `portal-api 2026-06-15T09:29:00Z {"level":"info","time":"T","path":"/of-${tenant}","clientAddress":"192.0.2.7","tenant":"${tenant}","msg":"request"}`;
      const cut = line('fjord').length - 40;
      answerLines([
        line('sund'),
        line('fjord'),
        'Node.js stopped',
        line('fjord').slice(0, cut),
        line('fjord').slice(cut),
      ]);
      const { json: own } = await get('');
      assert.deepEqual(own.lines, ['T info request path=/of-sund tenant=sund']);
      const { token } = await createToken(service, { tenant: 'fjord' });
      const { json: other } = await get('', { token, host: 'api.fjord.localhost' });
      assert.deepEqual(other.lines, ['T info request path=/of-fjord tenant=fjord']);
      assert.equal(fake.count(logsPath), 1);
    });

    test('so it is with the lines of an Equipment API in a process of its own', async () => {
      const line = (tenant: string): string =>
        `{"level":"info","time":"T","path":"/equipment/v1/streams/of-${tenant}","clientAddress":"192.0.2.7","tenant":"${tenant}","computer":"${tenant}-B1001-C7","msg":"request"}`;
      answerLines([
        `equipment ${line('fjord')}`,
        `equipment ${line('sund')}`,
        'a stack of fjord',
        line('fjord').slice(1),
      ]);
      const { json: own } = await get('?application=equipment-api');
      assert.deepEqual(own.lines, [
        'T info request path=/equipment/v1/streams/of-sund tenant=sund computer=sund-B1001-C7',
      ]);
      const { token } = await createToken(service, { tenant: 'fjord' });
      const { text: other } = await get('?application=equipment-api', { token, host: 'api.fjord.localhost' });
      assert.match(other, /fjord-B1001-C7/);
      assert.doesNotMatch(other, /sund|192\.0\.2\.7|stack/);
      assert.equal(fake.count(logsPath), 1);
    });

    const ownLine = (msg: string, tenant = 'sund'): string => JSON.stringify({ level: 'info', time: 'T', tenant, msg });

    test('JSON escapes in this service’s log produce no control characters', async () => {
      answerLines([ownLine('a\u001B[31m red\u001B[0m\nb\u202Ec')]);
      assert.deepEqual((await get('')).json.lines, ['T info a redbc tenant=sund']);
    });

    test('[hostlogs.05] a tenant sees up to 100 of its lines of this service’s log, even if the newest are of others', async () => {
      const own = Array.from({ length: 120 }, (_, line) => ownLine(`own ${line}`));
      const others = Array.from({ length: 200 }, (_, line) => ownLine(`other ${line}`, 'fjord'));
      answerLines([...own.slice(0, 90), ...others]);
      const { json: few } = await get('');
      assert.deepEqual([few.lines.length, few.lines[0], few.truncated], [90, 'T info own 0 tenant=sund', false]);
      const { searchParams } = fake.requests.find(({ url }) => url.pathname === logsPath)?.url ?? assert.fail();
      assert.equal(searchParams.get('tail_lines'), '500');
      clock.now += 10_000;
      answerLines([...own, ...others]);
      const { json: many } = await get('');
      assert.deepEqual([many.lines.length, many.lines[0], many.truncated], [100, 'T info own 20 tenant=sund', true]);
      clock.now += 10_000;
      answerLines([...own.slice(0, 90), ...others, ...others, ...others]);
      const { json: none } = await get('');
      assert.deepEqual([none.lines, none.truncated], [[], true]);
    });

    test('[hostlogs.10] neither an answer nor a refusal reveals the provider', async () => {
      const replies = [await get()];
      clock.now += 10_000;
      answerFailure();
      replies.push(await get(), await get('?environment=production'), await get(`?appId=${appId}`));
      clock.now += 10_000;
      fake.answers.set(logsPath, status(500));
      replies.push(await get());
      for (const { text: body, headers } of replies)
        for (const secret of [canary, fake.url, String(fake.port), 'unauthorized', 'signed'])
          assert.ok(!(body + JSON.stringify(headers)).includes(secret), body);
    });
  },
);
