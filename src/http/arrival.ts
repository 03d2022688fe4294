// What happens to a request as it comes in at a route: it becomes a visit, is let in or refused, and is counted and logged
// when it ends.

import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { constants, type Http2ServerRequest } from 'node:http2';
import { Problem } from '../lib/problem.ts';
import { clientGone, type AccessLog } from './access-log.ts';
import { addressKey } from './fixed-window.ts';
import { limits } from './limits.ts';
import type { HttpMetrics } from './metrics.ts';
import type { RateLimiter } from './rate-limit.ts';
import { requestHost, type Place } from './tenancy.ts';
import { joinTrace, traceparent } from './trace.ts';
import type { Visit } from './visit.ts';

type ArrivalParts = {
  readonly limiter: RateLimiter;
  readonly metrics: HttpMetrics;
  readonly tls: object | undefined;
  readonly placeByHost: (host: string) => Place | undefined;
  readonly logAccess: AccessLog;
};

/** Browsers come back by TLS alone (RFC 6797). */
export const hsts = ['strict-transport-security', 'max-age=31536000'] as const;

/** Makes the first hook of each route. */
export function arrivals({
  limiter,
  metrics,
  tls,
  placeByHost,
  logAccess,
}: ArrivalParts): (route: RouteFacts) => onRequestHookHandler {
  const end = (request: FastifyRequest, reply: FastifyReply): void => {
    const { visit, method } = request;
    const seconds = (performance.now() - visit.startedAtMs) / 1000;
    const status = reply.raw.headersSent ? reply.statusCode : clientGone;
    metrics.end({
      method,
      route: visit.route,
      status,
      seconds,
      scheme: tls === undefined ? 'http' : 'https',
    });
    logAccess({
      requestId: request.id,
      method,
      target: request.raw.url ?? '',
      status,
      seconds,
      traceId: visit.trace.traceId,
      place: visit.place,
      operationId: visit.operationId,
      managerId: visit.principal?.managerId,
      code: visit.problemCode,
    });
  };
  const refusal = (request: FastifyRequest, reply: FastifyReply): Error | undefined => {
    const { place, address } = request.visit;
    if (place === undefined) return new Problem('unknown-host');
    try {
      limiter.address(address, reply);
    } catch (error) {
      return error as Error;
    }
    // Before the body is looked at: what it is does not matter here.
    return request.is404 ? new Problem('unknown-route') : undefined;
  };
  return (route) => (request, reply, done) => {
    const host = requestHost(request.raw);
    const place = host === undefined ? undefined : placeByHost(host);
    beginVisit(request, reply, place, route);
    metrics.begin();
    // The framework's onResponse never comes where the client goes away first.
    reply.raw.on('close', () => end(request, reply));
    if (request.raw.httpVersionMajor > 1) boundStream(request);
    if (tls !== undefined) reply.header(...hsts);
    done(route.anyHost ? undefined : refusal(request, reply));
  };
}

/** What a route knows of itself. */
export type RouteFacts = Pick<Visit, 'operationId' | 'anyHost'> & {
  /** The pattern of the route, empty where there is none. */
  readonly url: string;
};
/** Where no route is. */
export const nowhere: RouteFacts = { url: '', operationId: undefined, anyHost: false };

export function beginVisit(
  request: FastifyRequest,
  reply: FastifyReply,
  place: Place | undefined,
  { url, operationId, anyHost }: RouteFacts,
): void {
  const trace = joinTrace(request.headers.traceparent);
  request.visit = {
    trace,
    startedAtMs: performance.now(),
    address: addressKey(request.ip),
    place,
    principal: undefined,
    problemCode: undefined,
    operationId,
    route: url,
    anyHost,
  };
  reply.header('x-request-id', request.id);
  reply.header('traceparent', traceparent(trace));
  reply.header('x-content-type-options', 'nosniff');
}

/** An HTTP/2 stream has no request timeout of its own: one whose body has not come in time is closed. */
function boundStream(request: FastifyRequest): void {
  const { stream } = request.raw as unknown as Http2ServerRequest;
  if (stream.endAfterHeaders) return;
  const overdue = setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), limits.requestTimeoutMs);
  const inTime = (): void => clearTimeout(overdue);
  stream.once('end', inTime);
  stream.once('close', inTime);
}
