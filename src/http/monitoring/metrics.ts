// Measures HTTP requests under OpenTelemetry's semantic names, counts searches of the geocoder, and formats the metrics as Prometheus text.

import type { Socket } from 'node:net';
import {
  collectDefaultMetrics,
  Counter,
  Gauge,
  Registry,
  type MetricObjectWithValues,
  type MetricValue,
} from 'prom-client';
import { RequestDurations, type EndedRequest } from './request-durations.ts';

type GeocoderLookupLabels = { readonly provider: string; readonly search: string; readonly outcome: string };

type ServiceRequestLabels = { readonly tenant: string; readonly service_id: number; readonly status: number };

export type HttpMetrics = {
  readonly contentType: string;
  /** All metrics as Prometheus text. */
  text(): Promise<string>;
  /** Returns the metrics as values, which can be put together with those of other processes. */
  values(): Promise<MetricObjectWithValues<MetricValue<string>>[]>;
  /** A request has begun. */
  begin(): void;
  end(request: EndedRequest): void;
  connectionOpened(socket: Socket): void;
  connectionClosed(): void;
  /** An idle connection was closed to make room for a new one. */
  connectionEvicted(): void;
  /** A new connection was closed at once, since there was no room for it. */
  connectionRefused(): void;
  /** The bytes sent over all connections so far, including encryption and header fields. */
  countSentBytes(): number;
  /** A request with the key of a service has ended. */
  serviceRequestEnded(labels: ServiceRequestLabels): void;
  /** A search of the geocoder has ended. */
  geocoderLookupEnded(labels: GeocoderLookupLabels): void;
};

export function createHttpMetrics(registry = new Registry()): HttpMetrics {
  collectDefaultMetrics({ register: registry });
  let running = 0;
  // Counted here and given to the gauge on demand: the gauge's own counting costs more than the routing of a request.
  const active: Gauge = new Gauge({
    name: 'http_server_active_requests',
    help: 'Requests being answered.',
    registers: [registry],
    collect: () => active.set(running),
  });
  const durations = new RequestDurations();
  durations.registerIn(registry);
  const lookups = new Counter({
    name: 'geocoder_lookups_total',
    help: 'Searches of coordinates and postal cities that have ended.',
    labelNames: ['provider', 'search', 'outcome'],
    registers: [registry],
  });
  const serviceRequests = new Counter({
    name: 'service_key_requests_total',
    help: 'Requests with the API key of a service.',
    labelNames: ['tenant', 'service_id', 'status'],
    registers: [registry],
  });
  const { opened, closed, evicted, refused, countSentBytes } = createConnectionMetrics(registry);
  return {
    connectionOpened: opened,
    connectionClosed: closed,
    connectionEvicted: evicted,
    connectionRefused: refused,
    countSentBytes,
    serviceRequestEnded: (labels) => serviceRequests.inc(labels),
    geocoderLookupEnded: (labels) => lookups.inc(labels),
    contentType: registry.contentType,
    text: () => registry.metrics(),
    values: () => registry.getMetricsAsJSON(),
    begin: () => {
      running += 1;
    },
    end: (request) => {
      running -= 1;
      durations.add(request);
    },
  };
}

function createConnectionMetrics(registry: Registry) {
  let open = 0;
  const sockets = new Set<Socket>();
  let bytesOfClosed = 0;
  const countSentBytes = (): number => {
    let bytes = bytesOfClosed;
    for (const { bytesWritten } of sockets) bytes += bytesWritten;
    return bytes;
  };
  const watchSentBytes = (socket: Socket): void => {
    sockets.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      bytesOfClosed += socket.bytesWritten;
    });
  };
  const sentBytes: Counter = new Counter({
    name: 'http_server_sent_bytes_total',
    help: 'Bytes sent over all connections.',
    registers: [registry],
    collect: () => {
      sentBytes.reset();
      sentBytes.inc(countSentBytes());
    },
  });
  const openConnections: Gauge = new Gauge({
    name: 'http_server_open_connections',
    help: 'Connections that are open.',
    registers: [registry],
    collect: () => openConnections.set(open),
  });
  const evictions = new Counter({
    name: 'http_server_evicted_connections_total',
    help: 'Idle connections that were closed to make room for others.',
    registers: [registry],
  });
  const refusals = new Counter({
    name: 'http_server_refused_connections_total',
    help: 'Connections that were refused for want of room.',
    registers: [registry],
  });
  return {
    opened: (socket: Socket) => {
      open += 1;
      watchSentBytes(socket);
    },
    closed: () => void (open -= 1),
    evicted: () => evictions.inc(),
    refused: () => refusals.inc(),
    countSentBytes,
  };
}
