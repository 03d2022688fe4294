// Runs several processes that serve on one port, over the same databases: creates demo data once before they start, shows
// their health and metrics, collects their logs, and stops them together.

import type { RequestListener } from 'node:http';
import { Registry, type Metric } from 'prom-client';
import type { Config } from '../../config.ts';
import { limits } from '../../http/limits/limits.ts';
import { createLog } from '../../log.ts';
import { createLogDestination } from '../../log-destination.ts';
import { createRecentLogLines } from '../../recent-log-lines.ts';
import { tryAddress } from './listen.ts';
import { reportReady } from './report-ready.ts';
import { seedDemoData } from './seed-demo-data.ts';
import { startMetrics } from './start-metrics.ts';
import { stopOnSignal } from './stop-on-signal.ts';
import { WorkerGroup } from './worker-group.ts';
import type { WorkerMetrics } from './worker-messages.ts';
import type { Application } from '../../app.ts';

/** What is served, and whether with demo data. */
export type ServeOptions = { readonly demo: boolean; readonly application: Application };

/** Beyond the time that a worker takes for its own end. */
const graceMs = 3000;

export async function superviseWorkers(config: Config, { demo, application }: ServeOptions): Promise<void> {
  const lines = createRecentLogLines();
  const destination = createLogDestination(1, {
    lines,
    onRecovered: (lostLines) => log.warn({ lostLines }, 'lines of the log were lost'),
  });
  const log = createLog(config.logLevel, destination);
  if (demo) await tryAddress(config, application);
  const tenantsWithDemo = demo ? await seedDemoData(config, log) : [];
  const group = new WorkerGroup({ count: config.workers, log, writeLines: (text) => destination.write(text) });
  const stopMs = config.stopDelaySeconds * 1000 + limits.shutdownMs + graceMs;
  let stopMetrics = async (): Promise<void> => {};
  stopOnSignal(log, stopMs + graceMs, async () => {
    // Health and metrics are answered until the last worker has ended.
    await group.stop(stopMs);
    await stopMetrics();
  });
  const started = await group.start();
  if ('code' in started) {
    await group.stop(stopMs);
    process.exitCode = started.code;
    return;
  }
  const metrics = {
    contentType: Registry.PROMETHEUS_CONTENT_TYPE,
    text: async () => formatWorkerMetrics(await group.ask('metrics')),
  };
  const listening = await startMetrics({ metrics, config, log }, createHealthAnswerer(group));
  stopMetrics = async () => listening?.stop();
  reportReady(config, { ...started, metricsUrl: listening?.url, application, tenantsWithDemo });
}

/** The answer of a worker that is not well, if there is one. */
function createHealthAnswerer(group: WorkerGroup): RequestListener {
  const answer = async (url: string) => {
    const answers = await group.ask('health', url);
    return (answers.find(({ answer: { status } }) => status !== 200) ?? answers[0])?.answer;
  };
  return ({ url = '', method }, response) => {
    answer(url).then(
      (found) => {
        if (found === undefined) response.writeHead(503).end();
        else response.writeHead(found.status, found.headers).end(method === 'HEAD' ? undefined : found.body);
      },
      () => response.writeHead(503).end(),
    );
  };
}

type MetricsOfWorker = { readonly worker: number; readonly answer: WorkerMetrics };

/**
 * Puts the metrics of all workers on one page, each with the number of its worker: a worker that has been started again
 * counts from zero, which sums of all workers would hide.
 */
function formatWorkerMetrics(workers: readonly MetricsOfWorker[]): Promise<string> {
  const registry = new Registry();
  const byName = new Map<string, WorkerMetrics[number]>();
  for (const { worker, answer } of workers)
    for (const metric of answer) {
      const values = metric.values.map((each) => ({ ...each, labels: { ...each.labels, worker: String(worker) } }));
      const merged = byName.get(metric.name);
      byName.set(metric.name, { ...metric, values: [...(merged?.values ?? []), ...values] });
    }
  for (const metric of byName.values()) {
    // All that the library requires of a metric.
    const registered = { ...metric, get: async () => metric };
    registry.registerMetric(registered as unknown as Metric);
  }
  return registry.metrics();
}
