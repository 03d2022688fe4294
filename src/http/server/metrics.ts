// Measures HTTP requests under OpenTelemetry's semantic names, and formats the metrics as Prometheus text.

import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

type EndedRequest = {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
  readonly scheme: string;
};

export type HttpMetrics = {
  readonly contentType: string;
  /** Everything measured, as Prometheus text. */
  text(): Promise<string>;
  /** A request has begun. */
  begin(): void;
  /** Undoes a begin of a request that will begin again. */
  undoBegin(): void;
  end(request: EndedRequest): void;
};

// The boundaries that the semantic conventions advise for http.server.request.duration.
const durationBucketsSeconds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

export function createHttpMetrics(): HttpMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  let running = 0;
  // Counted here and given to the gauge on demand: its own counting costs more than the routing of a request.
  const active: Gauge = new Gauge({
    name: 'http_server_active_requests',
    help: 'Requests being answered.',
    registers: [registry],
    collect: () => active.set(running),
  });
  const durations = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Duration of HTTP requests.',
    labelNames: ['http_request_method', 'http_route', 'http_response_status_code', 'url_scheme'],
    buckets: durationBucketsSeconds,
    registers: [registry],
  });
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    begin: () => {
      running += 1;
    },
    undoBegin: () => {
      running -= 1;
    },
    end: ({ method, route, status, scheme, seconds }) => {
      running -= 1;
      const labels = {
        http_request_method: method,
        http_route: route,
        http_response_status_code: status,
        url_scheme: scheme,
      };
      durations.observe(labels, seconds);
    },
  };
}
