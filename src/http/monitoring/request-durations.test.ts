// The histogram of durations, compared with that of prom-client.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { Histogram, Registry } from 'prom-client';
import { RequestDurations, type EndedRequest } from './request-durations.ts';

const anyRequest: fc.Arbitrary<EndedRequest> = fc.record({
  method: fc.constantFrom('GET', 'PUT', '_OTHER'),
  route: fc.constantFrom('/api/v1/public/status', '/a"b\\c', ''),
  status: fc.constantFrom(200, 304, 499, 503),
  seconds: fc.oneof(fc.constantFrom(0, 0.005, 0.01, 1, 10), fc.double({ min: 0, max: 20, noNaN: true })),
  scheme: fc.constantFrom('http', 'https'),
});

test('its text equals that of the histogram of prom-client', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyRequest, { maxLength: 50 }), async (requests) => {
      const [registry, expected] = [new Registry(), new Registry()];
      const durations = new RequestDurations();
      durations.registerIn(registry);
      const histogram = new Histogram({
        name: 'http_server_request_duration_seconds',
        help: 'Duration of HTTP requests.',
        labelNames: ['http_request_method', 'http_route', 'http_response_status_code', 'url_scheme'],
        buckets: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
        registers: [expected],
      });
      for (const request of requests) {
        durations.add(request);
        const { method, route, status, scheme, seconds } = request;
        histogram.observe(
          {
            http_request_method: method,
            http_route: route,
            http_response_status_code: status,
            url_scheme: scheme,
          },
          seconds,
        );
      }
      const linesOf = async (each: Registry): Promise<string[]> => (await each.metrics()).split('\n').toSorted();
      assert.deepEqual(await linesOf(registry), await linesOf(expected));
      assert.deepEqual(
        (await registry.getMetricsAsJSON()).map(({ name, type, aggregator }) => [name, type, aggregator]),
        (await expected.getMetricsAsJSON()).map(({ name, type, aggregator }) => [name, type, aggregator]),
      );
    }),
    { numRuns: 50 },
  );
});
