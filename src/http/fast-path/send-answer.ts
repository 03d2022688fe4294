// Sends a cached answer without the framework, with the header fields, the metrics and the log line that every answer has.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { rateLimitKeyOfAddress, type FindClientIp } from '../context/client-address.ts';
import type { TenantHost } from '../context/tenancy.ts';
import { connectionOf } from '../limits/connections.ts';
import type { RateLimiter } from '../limits/rate-limit.ts';
import type { UnsentAnswers } from '../limits/unsent-answers.ts';
import type { AccessLog } from '../monitoring/access-log.ts';
import type { HttpMetrics } from '../monitoring/metrics.ts';
import { readRequestId } from '../protocol/request-id.ts';
import { formatTraceparent, joinTrace } from '../protocol/trace.ts';
import type { CachedAnswer } from './answer-cache.ts';

export type SendAnswerDependencies = {
  readonly findClientIp: FindClientIp;
  readonly limiter: RateLimiter;
  readonly metrics: HttpMetrics;
  readonly logAccess: AccessLog;
  readonly unsentAnswers: UnsentAnswers;
  readonly tls: object | undefined;
};

type Exchange = {
  readonly tenantHost: TenantHost;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
};

/** Returns false if a limit is used up: the framework then refuses the request. */
export function sendAnswer(
  { findClientIp, limiter, metrics, logAccess, unsentAnswers, tls }: SendAnswerDependencies,
  { body, encoding, fields, route, operationId }: CachedAnswer,
  { tenantHost, request, response }: Exchange,
): boolean {
  const clientIp = findClientIp(request);
  const clientAddress = rateLimitKeyOfAddress(clientIp);
  const rateLimitFields = unsentAnswers.isFull(clientAddress) ? undefined : limiter.tryCountAddress(clientAddress);
  if (rateLimitFields === undefined) return false;
  const startedAtMs = performance.now();
  const connection = connectionOf(request);
  metrics.begin();
  connection?.beginRequest();
  const requestId = readRequestId(request);
  const trace = joinTrace(request.headers['traceparent']);
  response.writeHead(200, [
    'x-request-id',
    requestId,
    'traceparent',
    formatTraceparent(trace),
    ...fields,
    ...rateLimitFields,
  ]);
  response.end(body, encoding);
  unsentAnswers.watch(response, clientAddress, tenantHost);
  connection?.endRequest();
  const seconds = (performance.now() - startedAtMs) / 1000;
  metrics.end({ method: 'GET', route, status: 200, seconds, scheme: tls === undefined ? 'http' : 'https' });
  logAccess({
    requestId,
    method: 'GET',
    requestTarget: request.url ?? '',
    status: 200,
    seconds,
    traceId: trace.traceId,
    clientIp,
    tenantHost,
    operationId,
    managerId: undefined,
    problemCode: undefined,
  });
  return true;
}
