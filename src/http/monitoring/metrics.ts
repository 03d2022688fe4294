// Measures HTTP requests under OpenTelemetry's semantic names, counts searches of the geocoder, and formats the metrics as Prometheus text.

import type { Socket } from 'node:net';
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import { RequestDurations, type EndedRequest } from './request-durations.ts';

type GeocoderLookupLabels = { readonly provider: string; readonly search: string; readonly outcome: string };

type ServiceRequestLabels = { readonly tenant: string; readonly service_id: number; readonly status: number };

export type HttpMetrics = ReturnType<typeof createHttpMetrics>;

export function createHttpMetrics(registry = new Registry()) {
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  let running = 0;
  // Counted here and given to the gauge on demand: the gauge's own counting costs more than the routing of a request.
  const active: Gauge = new Gauge({
    name: 'http_server_active_requests',
    help: 'Requests being answered.',
    registers,
    collect: () => active.set(running),
  });
  const durations = new RequestDurations();
  durations.registerIn(registry);
  const lookups = new Counter({
    name: 'geocoder_lookups_total',
    help: 'Searches of coordinates and postal cities that have ended.',
    labelNames: ['provider', 'search', 'outcome'],
    registers,
  });
  const serviceRequests = new Counter({
    name: 'service_key_requests_total',
    help: 'Requests with the API key of a service.',
    labelNames: ['tenant', 'service_id', 'status'],
    registers,
  });
  return {
    contentType: registry.contentType,
    /** All metrics as Prometheus text. */
    text: () => registry.metrics(),
    /** Returns the metrics as values, which can be put together with those of other processes. */
    values: () => registry.getMetricsAsJSON(),
    /** A request has begun. */
    begin: () => {
      running += 1;
    },
    end: (request: EndedRequest) => {
      running -= 1;
      durations.add(request);
    },
    /** A request with the key of a service has ended. */
    serviceRequestEnded: (labels: ServiceRequestLabels) => serviceRequests.inc(labels),
    /** A search of the geocoder has ended. */
    geocoderLookupEnded: (labels: GeocoderLookupLabels) => lookups.inc(labels),
    ...createConnectionMetrics(registers),
  };
}

function createConnectionMetrics(registers: Registry[]) {
  let open = 0;
  const sockets = new Set<Socket>();
  let bytesOfClosed = 0;
  const countSentBytes = (): number => {
    let bytes = bytesOfClosed;
    for (const { bytesWritten } of sockets) bytes += bytesWritten;
    return bytes;
  };
  const sentBytes: Counter = new Counter({
    name: 'http_server_sent_bytes_total',
    help: 'Bytes sent over all connections.',
    registers,
    collect: () => {
      sentBytes.reset();
      sentBytes.inc(countSentBytes());
    },
  });
  const openConnections: Gauge = new Gauge({
    name: 'http_server_open_connections',
    help: 'Connections that are open.',
    registers,
    collect: () => openConnections.set(open),
  });
  const evictions = new Counter({
    name: 'http_server_evicted_connections_total',
    help: 'Idle connections that were closed to make room for others.',
    registers,
  });
  const refusals = new Counter({
    name: 'http_server_refused_connections_total',
    help: 'Connections that were refused for want of room.',
    registers,
  });
  return {
    connectionOpened: (socket: Socket) => {
      open += 1;
      sockets.add(socket);
      socket.once('close', () => {
        sockets.delete(socket);
        bytesOfClosed += socket.bytesWritten;
      });
    },
    connectionClosed: () => void (open -= 1),
    /** An idle connection was closed to make room for a new one. */
    connectionEvicted: () => evictions.inc(),
    /** A new connection was closed at once, since there was no room for it. */
    connectionRefused: () => refusals.inc(),
    /** The bytes sent over all connections so far, including encryption and header fields. */
    countSentBytes,
  };
}
