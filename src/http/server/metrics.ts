// Measures HTTP requests under OpenTelemetry's semantic names, and formats the metrics as Prometheus text.

import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';

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
  const durations = new Map<string, DurationHistogram>();
  return {
    contentType: registry.contentType,
    text: async () => `${await registry.metrics()}\n${formatDurations(durations.values())}`,
    begin: () => {
      running += 1;
    },
    undoBegin: () => {
      running -= 1;
    },
    end: (request) => {
      running -= 1;
      recordDuration(durations, request);
    },
  };
}

// The one histogram that every request adds to is kept here: the library's takes as long as a request's routing.
type DurationHistogram = { readonly labels: string; readonly counts: number[]; sum: number };

function recordDuration(
  all: Map<string, DurationHistogram>,
  { method, route, status, scheme, seconds }: EndedRequest,
): void {
  const key = `${method} ${status} ${scheme} ${route}`;
  let durations = all.get(key);
  if (durations === undefined) {
    const labels = {
      http_request_method: method,
      http_route: route,
      http_response_status_code: status,
      url_scheme: scheme,
    };
    const labelPairs = Object.entries(labels).map(([name, value]) => `${name}=${JSON.stringify(String(value))}`);
    durations = { labels: labelPairs.join(','), counts: [...durationBucketsSeconds.map(() => 0), 0], sum: 0 };
    all.set(key, durations);
  }
  let bucket = 0;
  while (bucket < durationBucketsSeconds.length && seconds > (durationBucketsSeconds[bucket] as number)) bucket += 1;
  durations.counts[bucket] = (durations.counts[bucket] ?? 0) + 1;
  durations.sum += seconds;
}

// https://prometheus.io/docs/instrumenting/exposition_formats/: buckets are cumulative.
function formatDurations(all: Iterable<DurationHistogram>): string {
  const name = 'http_server_request_duration_seconds';
  const lines = [`# HELP ${name} Duration of HTTP requests.`, `# TYPE ${name} histogram`];
  for (const { labels, counts, sum } of all) {
    let total = 0;
    for (const [at, count] of counts.entries()) {
      total += count;
      lines.push(`${name}_bucket{le="${durationBucketsSeconds[at] ?? '+Inf'}",${labels}} ${total}`);
    }
    lines.push(`${name}_sum{${labels}} ${sum}`, `${name}_count{${labels}} ${total}`);
  }
  return `${lines.join('\n')}\n`;
}
