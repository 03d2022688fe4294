// Runs several processes that serve on one port, over the same databases: creates demo data once before they start, shows
// their health and metrics, collects their logs, and stops them together.

import type { RequestListener } from 'node:http';
import { Registry } from 'prom-client';
import type { Config } from '../../config.ts';
import { limits } from '../../http/limits/limits.ts';
import { createLog } from '../../log.ts';
import { createLogDestination } from '../../log-destination.ts';
import { createRecentLogLines } from '../../recent-log-lines.ts';
import { tryAddress } from './listen.ts';
import { reportReady } from './report-ready.ts';
import { seedDemoData } from './seed-demo-data.ts';
import type { ServeOptions } from './serve-options.ts';
import { startMetrics } from './start-metrics.ts';
import { stopOnSignal } from './stop-on-signal.ts';
import { WorkerGroup } from './worker-group.ts';
import { formatWorkerMetrics } from './worker-metrics.ts';

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
