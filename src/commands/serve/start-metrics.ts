// Starts the metrics listener of the service.

import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listenForMetrics } from '../../http/monitoring/metrics-listener.ts';
import type { HttpMetrics } from '../../http/monitoring/metrics.ts';
import type { Dependencies } from '../../dependencies.ts';

type MetricsDependencies = Pick<Dependencies, 'config' | 'log'> & {
  readonly metrics: Pick<HttpMetrics, 'text' | 'contentType'>;
};

/** Undefined where the port is in use: the service also works without metrics. */
export async function startMetrics({ metrics, config, log }: MetricsDependencies, answerHealth: RequestListener) {
  try {
    const server = await listenForMetrics(metrics, answerHealth, config.metricsPort);
    const { port } = server.address() as AddressInfo;
    const stop = (): Promise<void> =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    return { url: `http://127.0.0.1:${port}/metrics`, stop };
  } catch (error) {
    log.warn({ err: error, port: config.metricsPort }, 'metrics are not served: cannot listen on PORTAL_METRICS_PORT');
    return undefined;
  }
}
