// Sends an image of the fast path with the header fields, the metrics and the log line that every response has.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { contentBytesOf, type KeptBody } from '../lib/deflated-bytes.ts';
import { isCompressibleType } from './compression/allow-compression.ts';
import type { Compressor } from './compression/compressor.ts';
import { readRequestId } from './context/request-id.ts';
import type { TenantHost } from './context/tenancy.ts';
import { formatTraceparent, joinTrace } from './context/trace.ts';
import type { CachedImageResponse } from './image-response-cache.ts';
import { representationFields, type Representation } from './representation.ts';
import { clientClosedRequestStatus, type AccessLog } from './server/access-log.ts';
import { maxWholeBytes, streamSlices } from './server/bound-answers.ts';
import type { HttpMetrics } from './server/metrics.ts';
import type { UnsentAnswers } from './server/unsent-answers.ts';

export type SendImageDependencies = {
  readonly metrics: HttpMetrics;
  readonly logAccess: AccessLog;
  readonly scheme: 'http' | 'https';
  /** Names and values, in turns, of the header fields that do not depend on the request. */
  readonly commonHeaders: readonly string[];
  /** The Vary field, in the same form, of images that may be compressed and of all others. */
  readonly varyFields: Readonly<Record<'compressible' | 'other', readonly string[]>>;
  readonly unsentAnswers: UnsentAnswers;
  readonly compressor: Compressor;
};

/** A request that the fast path serves. */
export type ImageRequest = {
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

export function sendImage(
  dependencies: SendImageDependencies,
  { representation: rendered, fields, route, operationId }: CachedImageResponse,
  { tenantHost, request, response, clientIp, clientAddress, rateLimitFields, startedAtMs }: ImageRequest,
): void {
  const { metrics, logAccess, scheme, unsentAnswers, compressor } = dependencies;
  const requestId = readRequestId(request);
  const trace = joinTrace(request.headers['traceparent']);
  const status = response.destroyed ? clientClosedRequestStatus : 200;
  if (status === 200) {
    const representation = compressor.compressImage(tenantHost, rendered, request.headers['accept-encoding']);
    response.writeHead(200, [
      'x-request-id',
      requestId,
      'traceparent',
      formatTraceparent(trace),
      ...(representation === rendered ? fields : listImageFields(representation, dependencies)),
      ...rateLimitFields,
    ]);
    sendBody(response, representation.body, clientAddress, unsentAnswers);
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

/** Names and values, in turns, of the header fields that do not depend on the request: made once for a cached response. */
export const listImageFields = (
  representation: Representation,
  { commonHeaders, varyFields }: Pick<SendImageDependencies, 'commonHeaders' | 'varyFields'>,
): string[] => [
  ...commonHeaders,
  ...varyFields[isCompressibleType(representation.mediaType) ? 'compressible' : 'other'],
  ...representationFields(representation),
  'content-length',
  String(contentBytesOf(representation.body)),
];

function sendBody(response: ServerResponse, body: KeptBody, address: string, unsentAnswers: UnsentAnswers): void {
  if (typeof body === 'string' || (Buffer.isBuffer(body) && body.length <= maxWholeBytes)) {
    response.end(body);
    unsentAnswers.watch(response, address);
    return;
  }
  const stream = Buffer.isBuffer(body) ? streamSlices(body) : body.inflate();
  // Whatever ends early ends the other: the client, or what makes the stream.
  pipeline(stream, response, () => {});
  unsentAnswers.watchStream(response, address, stream);
}
