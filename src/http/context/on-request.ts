// What happens to a request as it comes in at a route: it becomes a visit, is let in or refused, and is counted and logged
// when it ends.

import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { constants, type Http2ServerRequest } from 'node:http2';
import { Problem } from '../../lib/problem.ts';
import { clientClosedRequestStatus, type AccessLog } from '../server/access-log.ts';
import { rateLimitKeyOfAddress } from '../fixed-window.ts';
import { limits } from '../server/limits.ts';
import type { HttpMetrics } from '../server/metrics.ts';
import type { RateLimiter } from '../rate-limit.ts';
import { readRequestHost, type TenantHost } from './tenancy.ts';
import { joinTrace, formatTraceparent } from './trace.ts';
import type { RequestContext } from './request-context.ts';

type OnRequestDependencies = {
  readonly limiter: RateLimiter;
  readonly metrics: HttpMetrics;
  readonly tls: object | undefined;
  readonly findTenantHost: (host: string) => TenantHost | undefined;
  readonly logAccess: AccessLog;
};

/** Browsers come back by TLS alone (RFC 6797). */
export const hstsHeader = ['strict-transport-security', 'max-age=31536000'] as const;

/** Makes the first hook of each route. */
export function createOnRequestHookFactory({
  limiter,
  metrics,
  tls,
  findTenantHost,
  logAccess,
}: OnRequestDependencies): (route: RouteInfo) => onRequestHookHandler {
  const recordRequestEnd = (request: FastifyRequest, reply: FastifyReply): void => {
    const { requestContext, method } = request;
    const seconds = (performance.now() - requestContext.startedAtMs) / 1000;
    const status = reply.raw.headersSent ? reply.statusCode : clientClosedRequestStatus;
    metrics.end({
      method,
      route: requestContext.routePattern,
      status,
      seconds,
      scheme: tls === undefined ? 'http' : 'https',
    });
    logAccess({
      requestId: request.id,
      method,
      requestTarget: request.raw.url ?? '',
      status,
      seconds,
      traceId: requestContext.trace.traceId,
      tenantHost: requestContext.tenantHost,
      operationId: requestContext.operationId,
      managerId: requestContext.principal?.managerId,
      problemCode: requestContext.problemCode,
    });
  };
  const findRequestProblem = (request: FastifyRequest, reply: FastifyReply): Error | undefined => {
    const { tenantHost, clientAddress } = request.requestContext;
    if (tenantHost === undefined) return new Problem('unknown-host');
    try {
      limiter.countAddress(clientAddress, reply);
    } catch (error) {
      return error as Error;
    }
    // Before the body is looked at: what it is does not matter here.
    return request.is404 ? new Problem('unknown-route') : undefined;
  };
  return (route) => (request, reply, done) => {
    const host = readRequestHost(request.raw);
    const tenantHost = host === undefined ? undefined : findTenantHost(host);
    createRequestContext(request, reply, tenantHost, route);
    metrics.begin();
    // The framework's onResponse never comes where the client goes away first.
    reply.raw.on('close', () => recordRequestEnd(request, reply));
    if (request.raw.httpVersionMajor > 1) closeStreamAfterTimeout(request);
    if (tls !== undefined) reply.header(...hstsHeader);
    done(route.anyHost ? undefined : findRequestProblem(request, reply));
  };
}

/** What a route knows of itself. */
export type RouteInfo = Pick<RequestContext, 'operationId' | 'anyHost'> & {
  /** The pattern of the route, empty where there is none. */
  readonly routePattern: string;
};
/** Where no route is. */
export const unmatchedRoute: RouteInfo = { routePattern: '', operationId: undefined, anyHost: false };

export function createRequestContext(
  request: FastifyRequest,
  reply: FastifyReply,
  tenantHost: TenantHost | undefined,
  { routePattern, operationId, anyHost }: RouteInfo,
): void {
  const trace = joinTrace(request.headers.traceparent);
  request.requestContext = {
    trace,
    startedAtMs: performance.now(),
    clientAddress: rateLimitKeyOfAddress(request.ip),
    tenantHost,
    principal: undefined,
    problemCode: undefined,
    operationId,
    routePattern,
    anyHost,
  };
  reply.header('x-request-id', request.id);
  reply.header('traceparent', formatTraceparent(trace));
  reply.header('x-content-type-options', 'nosniff');
}

/** An HTTP/2 stream has no request timeout of its own: one whose body has not come in time is closed. */
function closeStreamAfterTimeout(request: FastifyRequest): void {
  const { stream } = request.raw as unknown as Http2ServerRequest;
  if (stream.endAfterHeaders) return;
  const timeout = setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), limits.requestTimeoutMs);
  const cancelTimeout = (): void => clearTimeout(timeout);
  stream.once('end', cancelTimeout);
  stream.once('close', cancelTimeout);
}
