// Makes the first hook of each route: it creates the request's context, checks host and rate limit, and sees to it that
// the request is counted and logged when it ends.

import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { toMs2000 } from '../../lib/ms2000.ts';
import { Problem } from '../../lib/problem.ts';
import type { RateLimiter } from '../rate-limit.ts';
import { clientClosedRequestStatus, type AccessLog } from '../server/access-log.ts';
import { closeStreamAfterTimeout } from '../server/http2-body-timeout.ts';
import type { HttpMetrics } from '../server/metrics.ts';
import { hstsHeader, setCommonHeaders } from './common-headers.ts';
import { createRequestContext, type RouteInfo } from './request-context.ts';
import { readRequestHost, type TenantHost } from './tenancy.ts';

type OnRequestDependencies = {
  readonly limiter: RateLimiter;
  readonly metrics: HttpMetrics;
  readonly tls: object | undefined;
  readonly findTenantHost: (host: string) => TenantHost | undefined;
  readonly logAccess: AccessLog;
  /** Epoch milliseconds. */
  readonly clock: () => number;
};

export function createOnRequestHookFactory(
  dependencies: OnRequestDependencies,
): (route: RouteInfo) => onRequestHookHandler {
  const { limiter, metrics, tls, findTenantHost, clock } = dependencies;
  return (route) => (request, reply, done) => {
    const host = readRequestHost(request.raw);
    const tenantHost = host === undefined ? undefined : findTenantHost(host);
    request.requestContext = createRequestContext(request, { route, tenantHost, now: toMs2000(clock()) });
    setCommonHeaders(request, reply);
    if (tls !== undefined) reply.header(...hstsHeader);
    metrics.begin();
    // The framework does not call onResponse where the client closes the connection first.
    reply.raw.on('close', () => recordRequestEnd(dependencies, request, reply));
    if (request.raw.httpVersionMajor > 1) closeStreamAfterTimeout(request);
    done(route.anyHost ? undefined : findRequestProblem(limiter, request, reply));
  };
}

function findRequestProblem(limiter: RateLimiter, request: FastifyRequest, reply: FastifyReply): Error | undefined {
  const { tenantHost, clientAddress } = request.requestContext;
  if (tenantHost === undefined) return new Problem('unknown-host');
  try {
    limiter.countAddress(clientAddress, reply);
  } catch (error) {
    return error as Error;
  }
  // Decided before the body is read: it does not matter here.
  return request.is404 ? new Problem('unknown-route') : undefined;
}

function recordRequestEnd(
  { metrics, logAccess, tls }: OnRequestDependencies,
  { id, method, raw, requestContext }: FastifyRequest,
  reply: FastifyReply,
): void {
  const { routePattern, trace, tenantHost, operationId, principal, problemCode, startedAtMs } = requestContext;
  const seconds = (performance.now() - startedAtMs) / 1000;
  const status = reply.raw.headersSent ? reply.statusCode : clientClosedRequestStatus;
  metrics.end({ method, route: routePattern, status, seconds, scheme: tls === undefined ? 'http' : 'https' });
  logAccess({
    requestId: id,
    method,
    requestTarget: raw.url ?? '',
    status,
    seconds,
    traceId: trace.traceId,
    tenantHost,
    operationId,
    managerId: principal?.managerId,
    problemCode,
  });
}
