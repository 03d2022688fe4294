// Begins each request: creates its context, checks host and rate limit, and ensures that it is measured and logged when
// it ends.

import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { constants, type Http2ServerRequest } from 'node:http2';
import { fromMs2000, toMs2000 } from '../../lib/time/ms2000.ts';
import { Problem } from '../../lib/problem.ts';
import { isHttp2 } from '../protocol/http-version.ts';
import type { RawRequest } from '../protocol/raw-request.ts';
import type { RateLimiter } from '../limits/rate-limit.ts';
import { clientClosedRequestStatus, type AccessLog } from '../monitoring/access-log.ts';
import { connectionOf } from '../limits/connections.ts';
import type { HttpMetrics } from '../monitoring/metrics.ts';
import type { UnsentAnswers } from '../limits/unsent-answers.ts';
import type { FindClientIp } from '../context/client-address.ts';
import { hstsHeader, setCommonHeaders } from '../protocol/common-headers.ts';
import { isService } from '../context/principal.ts';
import { createRequestContext, type RouteInfo } from './request-context.ts';
import { readRequestHost, type TenantHost } from '../context/tenancy.ts';
import { hasArrivingBody } from '../limits/arriving-body.ts';
import { limits } from '../limits/limits.ts';

export type BeginRequestDependencies = {
  readonly limiter: RateLimiter;
  readonly metrics: HttpMetrics;
  readonly tls: object | undefined;
  readonly findTenantHost: (host: string) => TenantHost | undefined;
  readonly findClientIp: FindClientIp;
  readonly logAccess: AccessLog;
  readonly unsentAnswers: UnsentAnswers;
  /** Epoch milliseconds. */
  readonly clock: () => number;
};

/** Returns the problem with which the request is refused; undefined if it may continue. */
export type BeginRequest = (route: RouteInfo, request: FastifyRequest, reply: FastifyReply) => Error | undefined;

export function createRequestBeginner(dependencies: BeginRequestDependencies): BeginRequest {
  const { metrics, tls, findTenantHost, findClientIp, clock } = dependencies;
  return (route, request, reply) => {
    const host = readRequestHost(request.raw);
    const tenantHost = host === undefined ? undefined : findTenantHost(host);
    const clientIp = findClientIp(request.raw);
    request.requestContext = createRequestContext(request, { route, tenantHost, clientIp, now: toMs2000(clock()) });
    setCommonHeaders(request, reply);
    if (tls !== undefined) reply.header(...hstsHeader);
    metrics.begin();
    const connection = connectionOf(request.raw);
    connection?.beginRequest();
    // The framework does not call onResponse where the client closes the connection first.
    reply.raw.on('close', () => {
      connection?.endRequest();
      recordRequestEnd(dependencies, request, reply);
      // After the record, so that the problems of the aborted work do not get into it.
      if (!reply.raw.headersSent) request.requestContext.clientWatch.clientHasGone();
    });
    if (isHttp2(request.raw)) closeStreamAfterTimeout(request);
    return findRequestProblem(dependencies, request, reply);
  };
}

/** Creates the first hook of a route. */
export function createOnRequestHook(begin: BeginRequest, route: RouteInfo): onRequestHookHandler {
  return (request, reply, done) => {
    done(begin(route, request, reply));
  };
}

function findRequestProblem(
  { limiter, unsentAnswers }: BeginRequestDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Error | undefined {
  const { anyHost, tenantHost, clientAddress } = request.requestContext;
  const messageProblem = findMessageProblem(request.raw);
  if (anyHost && messageProblem === undefined) return undefined;
  // The bytes that follow on the connection may not be a request.
  if (messageProblem !== undefined) reply.header('connection', 'close');
  try {
    limiter.countAddress(clientAddress, reply);
  } catch (error) {
    return error as Error;
  }
  if (messageProblem !== undefined) return messageProblem;
  if (tenantHost === undefined) return new Problem('unknown-host');
  // Checked before any work for the request.
  return unsentAnswers.isFull(clientAddress) ? new Problem('unread-answers') : undefined;
}

/** Refuses what the parser accepts but this service does not support. */
function findMessageProblem(raw: IncomingMessage): Problem | undefined {
  const { httpVersion, headers } = raw;
  if (httpVersion !== '1.1' && httpVersion !== '1.0' && !isHttp2(raw))
    return new Problem('invalid-request', { detail: `HTTP/${httpVersion} is not supported.` });
  const coding = headers['transfer-encoding'];
  return coding === undefined || coding.toLowerCase() === 'chunked'
    ? undefined
    : new Problem('unsupported-transfer-coding');
}

function recordRequestEnd(
  { metrics, logAccess, tls }: BeginRequestDependencies,
  { id, method, raw, requestContext }: FastifyRequest,
  reply: FastifyReply,
): void {
  const {
    routePattern,
    trace,
    clientIp,
    tenantHost,
    operationId,
    principal,
    computer,
    problemCode,
    startedAtMs,
    waitingTime,
  } = requestContext;
  const seconds = (performance.now() - startedAtMs) / 1000;
  const { originalMethod }: RawRequest = raw;
  const status = reply.raw.headersSent ? reply.statusCode : clientClosedRequestStatus;
  const serviceId = principal !== undefined && isService(principal) ? principal.id : undefined;
  if (serviceId !== undefined && tenantHost !== undefined)
    metrics.serviceRequestEnded({ tenant: tenantHost.tenant.name, service_id: serviceId, status });
  metrics.end({
    // OpenTelemetry's conventions name it so: clients must not be able to create labels.
    method: originalMethod === undefined ? method : '_OTHER',
    route: routePattern,
    status,
    seconds,
    scheme: tls === undefined ? 'http' : 'https',
  });
  logAccess({
    requestId: id,
    method: originalMethod ?? method,
    requestTarget: raw.url ?? '',
    status,
    seconds,
    waitedMs: waitingTime.elapsedMs,
    endedAt: fromMs2000(requestContext.now) + Math.floor(seconds * 1000),
    traceId: trace.traceId,
    clientIp,
    tenantHost,
    operationId,
    managerId: serviceId === undefined ? principal?.id : undefined,
    serviceId,
    computer,
    problemCode,
  });
}

/** An HTTP/2 stream has no request timeout of its own: this closes a stream whose body has not arrived in time. */
function closeStreamAfterTimeout(request: FastifyRequest): void {
  const { stream } = request.raw as unknown as Http2ServerRequest;
  if (stream.endAfterHeaders) return;
  const timeout = setTimeout(() => {
    if (!hasArrivingBody(stream)) stream.close(constants.NGHTTP2_CANCEL);
  }, limits.requestTimeoutMs);
  const cancelTimeout = (): void => clearTimeout(timeout);
  stream.once('end', cancelTimeout);
  stream.once('close', cancelTimeout);
}
