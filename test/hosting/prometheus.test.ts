// A real Prometheus that scrapes the service's metrics and is queried by the adapter.

import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startMetrics } from '../../src/commands/serve/start-metrics.ts';
import { waitUntil } from '../support/async.ts';
import {
  findFreePorts,
  findProgram,
  killProgram,
  reasonWithout,
  startWatchdog,
  type Watchdog,
} from '../support/programs.ts';
import { serviceFixture } from '../support/service-suite.ts';

const skip = reasonWithout('prometheus');

describe('Prometheus', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'portal-prometheus-'));
  const settingsFile = join(folder, 'hosting.json');
  const watchdog: Watchdog = startWatchdog(folder);
  let prometheus: ChildProcess | undefined;
  let port: number;
  const own = 'job="portal-api"';
  const writeSettings = (): void =>
    writeFileSync(
      settingsFile,
      JSON.stringify({
        providers: { own: { type: 'prometheus-loki', prometheus: { baseUrl: `http://127.0.0.1:${port}/` } } },
        applications: {
          beta: {
            'portal-api': {
              provider: 'own',
              queries: {
                cpu: `(process_cpu_seconds_total{${own}} / process_cpu_seconds_total{${own}}) * 100`,
                memory: `100 * process_resident_memory_bytes{${own}} / 1e12`,
                restarts: `changes(process_start_time_seconds{${own}}[1h])`,
                bandwidth: `sum(http_server_sent_bytes_total{${own}})`,
              },
            },
            mysql: { provider: 'own', queries: { cpu: `no_such_metric{${own}}`, disk: 'this is no query' } },
          },
        },
      }),
    );

  before(async () => {
    port = await findFreePorts();
    writeSettings();
  });
  const { service, manager, onStop, started } = serviceFixture('sqlite', {
    settings: { PORTAL_HOSTING: settingsFile, PORTAL_METRICS_PORT: '0' },
  });
  const get = (query: string) => service.call('GET', `/api/v1/hosting/metrics?hours=1&${query}`, manager);

  before(async () => {
    await started;
    const metrics = await startMetrics(service.dependencies, (request, response) =>
      service.app.routing(request, response),
    );
    onStop(() => metrics?.stop());
    const target = new URL(metrics?.url ?? assert.fail()).host;
    writeFileSync(
      join(folder, 'prometheus.yml'),
      JSON.stringify({
        global: { scrape_interval: '1s' },
        scrape_configs: [{ job_name: 'portal-api', static_configs: [{ targets: [target] }] }],
      }),
    );
    prometheus = spawn(
      findProgram('prometheus') ?? '',
      [
        `--config.file=${join(folder, 'prometheus.yml')}`,
        `--storage.tsdb.path=${join(folder, 'tsdb')}`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      { stdio: 'ignore' },
    );
    watchdog.watch(prometheus);
    const query = `http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(`process_resident_memory_bytes{${own}}`)}`;
    await waitUntil('Prometheus has scraped the service', async () => {
      // While it starts it refuses connections, and then answers 503.
      const answer = await fetch(query).catch(() => undefined);
      const body = answer?.ok === true ? ((await answer.json()) as { data?: { result?: unknown[] } }) : undefined;
      return (body?.data?.result?.length ?? 0) > 0;
    });
  });
  after(async () => {
    if (prometheus !== undefined) await killProgram(prometheus);
    await watchdog.end();
  });

  test('[metrics.06] measures the service, and the adapter shows what it measured', async () => {
    const { status, json, text } = await get('application=portal-api');
    assert.equal(status, 200, text);
    const [cpu, memory, restarts] = json.metrics;
    assert.deepEqual([cpu.errorCode, memory.errorCode, restarts.errorCode], [null, null, null], text);
    const lastOf = (metric: { series: { component: string; instance: string; points: { value: number }[] }[] }) =>
      metric.series[0]?.points.at(-1)?.value ?? Number.NaN;
    assert.equal(lastOf(cpu), 100);
    assert.equal(lastOf(restarts), 0);
    // The process has more than 30 MB, and less than 5 GB.
    assert.ok(lastOf(memory) > 0.003 && lastOf(memory) < 0.5, text);
    assert.deepEqual([memory.series[0].component, memory.series[0].instance], ['portal-api', '1']);
    // Nothing had been measured when yesterday ended.
    assert.deepEqual([json.bandwidth.bytes, json.bandwidth.errorCode], [null, null]);
  });

  test('[metrics.11] only the query that it refuses fails, and a query without data has no series', async () => {
    const { status, json } = await get('application=mysql');
    assert.equal(status, 200);
    const facts = json.metrics.map(({ name, series, errorCode }: Record<string, unknown>) => [name, series, errorCode]);
    assert.deepEqual(facts, [
      ['cpu', [], null],
      ['memory', [], null],
      ['disk', [], 'hosting-source-unavailable'],
      ['connections', [], null],
    ]);
  });
});
