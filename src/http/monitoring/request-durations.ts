// A Prometheus histogram of request durations. The one of prom-client formats the labels of every request to find their
// counts, which takes longer than all other measurements of the request.

import { Registry, type Metric } from 'prom-client';

export type EndedRequest = {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
  readonly scheme: string;
};

/** The requests of the same method, status and scheme of a route. */
type Series = Omit<EndedRequest, 'seconds'> & {
  /** The requests that took at most this boundary, but longer than the one before; the last count is of all others. */
  readonly counts: number[];
  sum: number;
};

const name = 'http_server_request_duration_seconds';

// The boundaries that the semantic conventions advise for http.server.request.duration.
const boundariesSeconds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

export class RequestDurations {
  readonly #seriesByRoute = new Map<string, Series[]>();

  registerIn(registry: Registry): void {
    const described = { name, help: 'Duration of HTTP requests.', type: 'histogram', aggregator: 'sum' };
    // All that the library requires of a metric.
    const metric = { ...described, get: async () => ({ ...described, values: this.#listValues() }) };
    registry.registerMetric(metric as unknown as Metric);
  }

  add(request: EndedRequest): void {
    const series = this.#seriesOf(request);
    let bucket = 0;
    while (bucket < boundariesSeconds.length && request.seconds > (boundariesSeconds[bucket] ?? Infinity)) bucket += 1;
    series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
    series.sum += request.seconds;
  }

  #seriesOf({ method, route, status, scheme }: EndedRequest): Series {
    const ofRoute = this.#seriesByRoute.getOrInsertComputed(route, () => []);
    for (const series of ofRoute)
      if (series.status === status && series.method === method && series.scheme === scheme) return series;
    const counts = Array.from({ length: boundariesSeconds.length + 1 }, () => 0);
    const added: Series = { method, route, status, scheme, counts, sum: 0 };
    ofRoute.push(added);
    return added;
  }

  #listValues() {
    return [...this.#seriesByRoute.values()].flat().flatMap(({ method, route, status, scheme, counts, sum }) => {
      const labels = {
        http_request_method: method,
        http_route: route,
        http_response_status_code: status,
        url_scheme: scheme,
      };
      let count = 0;
      const buckets = counts.map((each, index) => ({
        metricName: `${name}_bucket`,
        labels: { le: boundariesSeconds[index] ?? '+Inf', ...labels },
        value: (count += each),
      }));
      return [
        ...buckets,
        { metricName: `${name}_sum`, labels, value: sum },
        { metricName: `${name}_count`, labels, value: count },
      ];
    });
  }
}
