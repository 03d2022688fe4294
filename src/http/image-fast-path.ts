// The shortest way to a public picture, in front of the framework, which would take longer to route such a request than
// this takes to answer it. It keeps to what the porch does for everyone (host, limit, ids, log, metrics). Whatever is out
// of the ordinary, and every refusal, is the porch's to tell: such a request goes on untouched.

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { clientClosedRequestStatus, type AccessLog } from './server/access-log.ts';
import { rateLimitKeyOfAddress } from './fixed-window.ts';
import type { HttpMetrics } from './server/metrics.ts';
import type { ImageRouter, MatchedImageRoute } from './image-router.ts';
import type { RateLimiter } from './rate-limit.ts';
import type { CachedImageResponse, ImageResponseCache } from './image-response-cache.ts';
import { representationFields, type Representation } from './representation.ts';
import { readRequestId } from './context/request-id.ts';
import { readRequestHost, type TenantHost } from './context/tenancy.ts';
import { joinTrace, formatTraceparent } from './context/trace.ts';

export type ImageFastPathDependencies = {
  readonly imageRouter: ImageRouter;
  readonly imageResponseCache: ImageResponseCache;
  readonly findTenantHost: (host: string) => TenantHost | undefined;
  readonly limiter: RateLimiter;
  readonly metrics: HttpMetrics;
  readonly logAccess: AccessLog;
  readonly scheme: 'http' | 'https';
  /** Names and values, in turns, of the fields that every answer has. */
  readonly commonHeaders: readonly string[];
  /** While the service stops, the porch has more to say. */
  readonly isClosing: () => boolean;
};

/** Answers what it can, and hands everything else to the porch. */
export function createImageFastPath(
  dependencies: ImageFastPathDependencies,
  frameworkListener: RequestListener,
): RequestListener {
  const runDeferred = createDeferredRunner();
  return (request, response) => {
    const target = findImageTarget(dependencies, request);
    // A request that is not for an image goes on at once.
    if (target === undefined) frameworkListener(request, response);
    else
      runDeferred(() =>
        serveImage(dependencies, target, request, response, () => frameworkListener(request, response)),
      );
  };
}

type ImageTarget = { readonly tenantHost: TenantHost; readonly matched: CachedImageResponse | MatchedImageRoute };

/** The image that a plain request asks for. */
function findImageTarget(
  { imageRouter, imageResponseCache, findTenantHost, isClosing }: ImageFastPathDependencies,
  request: IncomingMessage,
): ImageTarget | undefined {
  const { url = '' } = request;
  if (!imageRouter.mayMatch(url) || !isFastPathRequest(request) || isClosing()) return undefined;
  const host = readRequestHost(request);
  const tenantHost = host === undefined ? undefined : findTenantHost(host);
  if (tenantHost === undefined) return undefined;
  const matched = imageResponseCache.get(tenantHost, url) ?? imageRouter.findRoute(url);
  return matched === undefined ? undefined : { tenantHost, matched };
}

/** A GET without a body, without conditions, from no page of another origin. */
function isFastPathRequest({ method, httpVersionMajor, headers }: IncomingMessage): boolean {
  return (
    method === 'GET' &&
    httpVersionMajor === 1 &&
    headers['if-none-match'] === undefined &&
    headers['if-modified-since'] === undefined &&
    headers.origin === undefined &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined
  );
}

function serveImage(
  dependencies: ImageFastPathDependencies,
  { tenantHost, matched }: ImageTarget,
  request: IncomingMessage,
  response: ServerResponse,
  passToFramework: () => void,
): void {
  // The client went away in the meantime.
  if (response.destroyed) return;
  const { imageResponseCache, limiter, metrics } = dependencies;
  const { url: requestTarget = '' } = request;
  const address = rateLimitKeyOfAddress(request.socket.remoteAddress ?? '');
  // Before anything is drawn: whoever asks too often costs nothing but the refusal.
  const limitFields = limiter.tryCountAddress(address);
  if (limitFields === undefined) {
    passToFramework();
    return;
  }
  metrics.begin();
  const imageRequest: ImageRequest = {
    tenantHost,
    request,
    response,
    rateLimitFields: limitFields,
    startedAtMs: performance.now(),
  };
  // The porch meets the same refusal, tells of it, and counts it.
  const undoAndPassToFramework = (): void => {
    metrics.undoBegin();
    limiter.refundAddress(address);
    passToFramework();
  };
  const sendRendered = (representation: Representation): void => {
    const cachedResponse = { representation, route: matched.route, operationId: matched.operationId };
    imageResponseCache.set(tenantHost, requestTarget, cachedResponse);
    sendImage(dependencies, cachedResponse, imageRequest);
  };
  if ('representation' in matched) {
    sendImage(dependencies, matched, imageRequest);
    return;
  }
  let rendered: Representation | Promise<Representation>;
  try {
    rendered = matched.render(tenantHost);
  } catch {
    undoAndPassToFramework();
    return;
  }
  if (rendered instanceof Promise) rendered.then(sendRendered, undoAndPassToFramework);
  else sendRendered(rendered);
}

type ImageRequest = {
  readonly tenantHost: TenantHost;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly rateLimitFields: readonly string[];
  readonly startedAtMs: number;
};

function sendImage(
  { metrics, logAccess, scheme, commonHeaders }: ImageFastPathDependencies,
  { representation, route, operationId }: CachedImageResponse,
  { tenantHost, request, response, rateLimitFields, startedAtMs }: ImageRequest,
): void {
  const requestId = readRequestId(request);
  const trace = joinTrace(request.headers['traceparent']);
  const status = response.destroyed ? clientClosedRequestStatus : 200;
  if (status === 200) {
    const requestHeaders = ['x-request-id', requestId, 'traceparent', formatTraceparent(trace)];
    const { body } = representation;
    const length = ['content-length', String(Buffer.byteLength(body))];
    response.writeHead(200, [
      ...requestHeaders,
      ...commonHeaders,
      ...representationFields(representation),
      ...length,
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

/**
 * Does what it is handed when every request that has come in by now was looked at: who reads the answers is woken once
 * for several of them.
 */
function createDeferredRunner(): (work: () => void) => void {
  let pendingWork: (() => void)[] = [];
  const runPendingWork = (): void => {
    const batch = pendingWork;
    pendingWork = [];
    for (const work of batch) work();
  };
  return (work) => {
    if (pendingWork.length === 0) setImmediate(runPendingWork);
    pendingWork.push(work);
  };
}
