// HTTP metrics under OpenTelemetry's semantic names, as Prometheus text on a loopback listener of their own.

import { createServer, type Server } from 'node:http';
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
  begin(): void;
  /** Takes a beginning back: the request begins anew elsewhere. */
  undoBegin(): void;
  end(request: EndedRequest): void;
};

// The boundaries that the semantic conventions advise for http.server.request.duration.
const durationBucketsSeconds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

export function createHttpMetrics(): HttpMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  let running = 0;
  // Counted by hand and told when asked: the gauge's own counting costs more than the request's routing.
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

/** Serves `/metrics` on loopback, apart from the API. */
export function listenForMetrics(metrics: HttpMetrics, port: number): Promise<Server> {
  const server = createServer(
    { requestTimeout: 5000, headersTimeout: 5000, maxHeaderSize: 8192 },
    (request, response) => {
      if (request.url !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD')) {
        response.writeHead(404).end();
        return;
      }
      metrics.text().then(
        (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
        () => response.writeHead(500).end(),
      );
    },
  );
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
