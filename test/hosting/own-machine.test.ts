// A service without hosting settings, in a separate process: it shows each tenant itself, its database and the tenant's
// own log lines, and continues after a crash.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { createCaller, type Call, type CallOptions } from '../support/call.ts';
import { insertEnrolledComputer } from '../support/enrolled-computers.ts';
import { createToken, insertTestBank } from '../support/factories.ts';
import { startServeProcess, type ServeProcess } from '../support/portal-process.ts';
import { findFreePorts } from '../support/programs.ts';
import { declareOperations } from '../support/service.ts';
import { serviceSuite } from '../support/service-suite.ts';

const hosts = { sund: 'api.sund.localhost', fjord: 'api.fjord.localhost' } as const;
type Tenant = keyof typeof hosts;

serviceSuite({ tenants: ['sund', 'fjord'], manager: false }, ({ engine, service, storage, onStop }) => {
  let child: ServeProcess;
  let call: Call;
  let settings: Record<string, string>;
  const options = {} as Record<Tenant, CallOptions>;

  async function startProcess(): Promise<void> {
    child = await startServeProcess(settings);
    call = createCaller(child.port, declareOperations(service.dependencies));
  }

  before(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'portal-own-machine-'));
    settings = {
      PORTAL_STORAGE: storage.storageUrl,
      PORTAL_CACHE: join(folder, 'cache'),
      PORTAL_HOSTING_STATE: join(folder, 'hosting'),
      PORTAL_PORT: String(await findFreePorts()),
    };
    onStop(() => rmSync(folder, { recursive: true, force: true }));
    onStop(() => child.kill());
    for (const tenant of ['sund', 'fjord'] as const)
      options[tenant] = { host: hosts[tenant], token: (await createToken(service, { tenant })).token };
    await startProcess();
  });

  const get = (path: string, tenant: Tenant = 'sund') => call('GET', `/api/v1/hosting/${path}`, options[tenant]);

  test('[hostlogs.11, metrics.06] both environments have the figures of this process', async () => {
    for (const environment of ['beta', 'production']) {
      const { status, json, text } = await get(`metrics?environment=${environment}&hours=1`);
      assert.equal(status, 200, text);
      assert.equal(json.environment, environment);
      const [cpu, memory, restarts] = json.metrics.map(
        ({ series }: { series: { component: string; instance: string; points: { value: number }[] }[] }) => series[0],
      );
      for (const series of [cpu, memory, restarts])
        assert.deepEqual([series.component, series.instance], ['portal-api', settings['PORTAL_PORT']], text);
      const value = memory.points.at(-1).value;
      assert.ok(value > 0.01 && value < 100, text);
      assert.ok(cpu.points.at(-1).value > 0 && cpu.points.at(-1).value <= 100, text);
      assert.equal(restarts.points.at(-1).value, 0);
      // It did not run yesterday.
      assert.equal(json.bandwidth.bytes, null);
      assert.equal((await get(`logs?environment=${environment}`)).status, 200);
    }
  });

  test('[metrics.06, metrics.10] mysql is the database of the service, and its unknown figures are empty', async () => {
    const { status, json, text } = await get('metrics?application=mysql&hours=1');
    assert.equal(status, 200, text);
    const valueOf = (name: string): number | undefined =>
      json.metrics.find((metric: { name: string }) => metric.name === name).series[0]?.points.at(-1).value;
    const disk = valueOf('disk') ?? -1;
    assert.ok(disk > 0 && disk <= 100, text);
    if (engine === 'sqlite')
      assert.deepEqual([valueOf('cpu'), valueOf('memory'), valueOf('connections')], [undefined, undefined, undefined]);
    else {
      assert.ok((valueOf('connections') ?? 0) >= 1, text);
      const memory = valueOf('memory') ?? -1;
      assert.ok(memory > 0.05 && memory < 100, text);
    }
    for (const { errorCode } of json.metrics) assert.equal(errorCode, null);
  });

  test('[metrics.06] equipment-api is the same process, whose bytes are shown once', async () => {
    const { status, json, text } = await get('metrics?application=equipment-api&hours=1');
    assert.equal(status, 200, text);
    assert.deepEqual(
      json.metrics.map(({ name, series }: { name: string; series: { component: string; instance: string }[] }) => [
        name,
        series.map(({ component, instance }) => [component, instance]),
      ]),
      ['cpu', 'memory', 'restarts'].map((name) => [name, [['portal-api', settings['PORTAL_PORT']]]]),
    );
    assert.equal(json.bandwidth.bytes, null);
  });

  test('[hostlogs.09] requests of computers are lines of equipment-api, and of no other tenant', async () => {
    const key = await service.write('sund', async (db) => {
      await insertTestBank(db);
      return insertEnrolledComputer(db, { computerId: 7 });
    });
    assert.equal((await call('GET', '/equipment/v1/streams', { token: key })).status, 200);
    assert.equal((await call('GET', '/equipment/v1/desired', { host: hosts.fjord })).status, 401);
    const requestsOf = async (query: string, tenant: Tenant): Promise<string[]> => {
      const { lines } = (await get(`logs?environment=production&${query}`, tenant)).json as { lines: string[] };
      return lines.filter((line) => line.includes(' info request '));
    };
    const [line, ...others] = await requestsOf('application=equipment-api', 'sund');
    assert.deepEqual(others, []);
    assert.match(line ?? '', / path=\/equipment\/v1\/streams status=200 .* computer=sund-B1001-C7$/);
    assert.match((await requestsOf('application=equipment-api', 'fjord')).join('\n'), /^[^\n]* status=401 [^\n]*$/);
  });

  test('[hostlogs.08, metrics.12] portal-web is not configured, since it is another program', async () => {
    for (const path of ['logs?application=portal-web', 'metrics?application=portal-web']) {
      const { status, json } = await get(path);
      assert.deepEqual([status, json.code], [503, 'hosting-not-configured'], path);
    }
  });

  test('[hostlogs.09, hostlogs.10] the lines are those of the log, without addresses of clients and without other tenants', async () => {
    for (const tenant of ['sund', 'fjord'] as const) {
      const marker = `/api/v1/banks/${tenant}-B4711/locations`;
      await call('GET', marker, options[tenant]);
      await call('GET', `/api/v1/unknown?secret=${tenant}`, { host: 'api.nowhere.localhost' });
    }
    for (const [tenant, other] of [
      ['sund', 'fjord'],
      ['fjord', 'sund'],
    ] as const) {
      // Another selection than those before, which are still cached.
      const { json, text } = await get('logs?environment=production', tenant);
      const { json: again } = tenant === 'sund' ? await get('logs?environment=beta', tenant) : { json };
      const lines = [...json.lines, ...again.lines].join('\n');
      assert.ok(!lines.includes('/equipment/v1/'), lines);
      assert.ok(!text.includes(`${other}-B4711`) && !lines.includes(`tenant=${other}`), lines);
      for (const hidden of ['127.0.0.1', 'clientAddress', 'secret', '/unknown', String(options[tenant].token), '{'])
        assert.ok(!lines.includes(hidden), `${hidden} in ${lines}`);
      if (tenant === 'fjord')
        assert.match(lines, /info request .*path=\/api\/v1\/banks\/fjord-B4711\/locations status=404/);
    }
  });

  test('[hostlogs.11] the requests that an environment lists are those to its own host', async () => {
    // No other test reads the logs of this tenant in beta, which are cached.
    const paths = { production: '/api/v1/banks/fjord-B4712/locations', beta: '/api/v1/banks/fjord-B4713/locations' };
    const { token } = options.fjord;
    assert.equal((await call('GET', paths.production, { host: hosts.fjord, token })).status, 404);
    assert.equal((await call('GET', paths.beta, { host: `beta.${hosts.fjord}`, token })).status, 401);
    const { lines } = (await get('logs?environment=beta', 'fjord')).json as { lines: string[] };
    const requests = lines.filter((line) => line.includes(' info request '));
    assert.deepEqual(
      requests.map((line) => /path=(\S+) .*environment=(\w+)/.exec(line)?.slice(1)),
      [[paths.beta, 'beta']],
    );
  });

  test('[metrics.10] after a crash the restart is counted, and the count of sent bytes is not lost', async () => {
    await child.kill();
    await startProcess();
    const { json, text } = await get('metrics?hours=1');
    const [, , restarts] = json.metrics;
    assert.equal(restarts.series[0].points.at(-1).value, 1, text);
    child.signal('SIGTERM');
    assert.deepEqual(await child.ended, { code: 0, signal: null });
    await startProcess();
    assert.equal((await get('metrics?hours=1')).json.metrics[2].series[0].points.at(-1).value, 2);
  });
});
