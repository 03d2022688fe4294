// Sends an image of the fast path with the header fields, the metrics and the log line that every response has.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { readRequestId } from './context/request-id.ts';
import type { TenantHost } from './context/tenancy.ts';
import { formatTraceparent, joinTrace } from './context/trace.ts';
import type { CachedImageResponse } from './image-response-cache.ts';
import { representationFields } from './representation.ts';
import { clientClosedRequestStatus, type AccessLog } from './server/access-log.ts';
import type { HttpMetrics } from './server/metrics.ts';

export type SendImageDependencies = {
  readonly metrics: HttpMetrics;
  readonly logAccess: AccessLog;
  readonly scheme: 'http' | 'https';
  /** Names and values, in turns, of the header fields that do not depend on the request. */
  readonly commonHeaders: readonly string[];
};

/** A request that the fast path serves. */
export type ImageRequest = {
  readonly tenantHost: TenantHost;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Names and values, in turns. */
  readonly rateLimitFields: readonly string[];
  readonly startedAtMs: number;
};

export function sendImage(
  { metrics, logAccess, scheme, commonHeaders }: SendImageDependencies,
  { representation, route, operationId }: CachedImageResponse,
  { tenantHost, request, response, rateLimitFields, startedAtMs }: ImageRequest,
): void {
  const requestId = readRequestId(request);
  const trace = joinTrace(request.headers['traceparent']);
  const status = response.destroyed ? clientClosedRequestStatus : 200;
  if (status === 200) {
    const { body } = representation;
    response.writeHead(200, [
      'x-request-id',
      requestId,
      'traceparent',
      formatTraceparent(trace),
      ...commonHeaders,
      ...representationFields(representation),
      'content-length',
      String(Buffer.byteLength(body)),
      ...rateLimitFields,
    ]);
    response.end(body);
  }
  const seconds = (performance.now() - startedAtMs) / 1000;
  metrics.end({ method: 'GET', route, status, seconds, scheme });
  logAccess({
    requestId,
    method: 'GET',
    requestTarget: request.url ?? '',
    status,
    seconds,
    traceId: trace.traceId,
    tenantHost,
    operationId,
    managerId: undefined,
    problemCode: undefined,
  });
}
