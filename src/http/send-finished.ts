// Sends a finished answer without the framework, with the header fields, the metrics and the log line that every answer has.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import type { KeptBody } from '../lib/deflated-bytes.ts';
import { readRequestId } from './context/request-id.ts';
import type { TenantHost } from './context/tenancy.ts';
import { formatTraceparent, joinTrace } from './context/trace.ts';
import { clientClosedRequestStatus, type AccessLog } from './server/access-log.ts';
import { maxWholeBytes, streamSlices } from './server/bound-answers.ts';
import type { HttpMetrics } from './server/metrics.ts';
import type { UnsentAnswers } from './server/unsent-answers.ts';

/** A success whose bytes exist. */
export type FinishedAnswer = {
  readonly body: KeptBody;
  /** Of a text that is all ASCII: it is written faster than UTF-8. */
  readonly encoding?: 'latin1' | undefined;
  /** Names and values, in turns, of the header fields that do not depend on the request: made once for a kept answer. */
  readonly fields: readonly string[];
  readonly route: string;
  readonly operationId: string;
};

export type SendFinishedDependencies = {
  readonly metrics: HttpMetrics;
  readonly logAccess: AccessLog;
  readonly scheme: 'http' | 'https';
  readonly unsentAnswers: UnsentAnswers;
};

/** A request that the fast path serves. */
export type FastRequest = {
  readonly tenantHost: TenantHost;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly clientIp: string;
  /** The client's address as rate limits count it. */
  readonly clientAddress: string;
  /** Names and values, in turns. */
  readonly rateLimitFields: readonly string[];
  readonly startedAtMs: number;
};

export function sendFinished(
  { metrics, logAccess, scheme, unsentAnswers }: SendFinishedDependencies,
  { body, encoding, fields, route, operationId }: FinishedAnswer,
  { tenantHost, request, response, clientIp, clientAddress, rateLimitFields, startedAtMs }: FastRequest,
): void {
  const requestId = readRequestId(request);
  const trace = joinTrace(request.headers['traceparent']);
  const status = response.destroyed ? clientClosedRequestStatus : 200;
  if (status === 200) {
    response.writeHead(200, [
      'x-request-id',
      requestId,
      'traceparent',
      formatTraceparent(trace),
      ...fields,
      ...rateLimitFields,
    ]);
    sendBody({ response, body, encoding }, clientAddress, unsentAnswers);
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
    clientIp,
    tenantHost,
    operationId,
    managerId: undefined,
    problemCode: undefined,
  });
}

function sendBody(
  { response, body, encoding }: Pick<FinishedAnswer, 'body' | 'encoding'> & { response: ServerResponse },
  address: string,
  unsentAnswers: UnsentAnswers,
): void {
  if (typeof body === 'string' || (Buffer.isBuffer(body) && body.length <= maxWholeBytes)) {
    response.end(body, encoding ?? 'utf8');
    unsentAnswers.watch(response, address);
    return;
  }
  const stream = Buffer.isBuffer(body) ? streamSlices(body) : body.inflate();
  // Whatever ends early ends the other: the client, or what makes the stream.
  pipeline(stream, response, () => {});
  unsentAnswers.watchStream(response, address, stream);
}
