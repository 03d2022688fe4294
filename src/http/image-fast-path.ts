// Serves plain requests for public images without the framework, whose routing takes longer than the whole response. All
// other requests, and all problems, are the framework's: it gets such a request untouched.

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { rateLimitKeyOfAddress } from './context/client-address.ts';
import { readRequestHost, type TenantHost } from './context/tenancy.ts';
import { createDeferredRunner } from './deferred-runner.ts';
import type { CachedImageResponse, ImageResponseCache } from './image-response-cache.ts';
import type { ImageRouter, MatchedImageRoute } from './image-router.ts';
import type { RateLimiter } from './rate-limit.ts';
import type { Representation } from './representation.ts';
import { sendImage, type ImageRequest, type SendImageDependencies } from './send-image.ts';

export type ImageFastPathDependencies = SendImageDependencies & {
  readonly imageRouter: ImageRouter;
  readonly imageResponseCache: ImageResponseCache;
  readonly findTenantHost: (host: string) => TenantHost | undefined;
  readonly limiter: RateLimiter;
  /** While the server closes, the framework serves all requests: it also closes their connections. */
  readonly isClosing: () => boolean;
};

/** A listener that serves images, and hands every other request to the framework's listener. */
export function createImageFastPath(
  dependencies: ImageFastPathDependencies,
  frameworkListener: RequestListener,
): RequestListener {
  const runDeferred = createDeferredRunner();
  return (request, response) => {
    const target = findImageTarget(dependencies, request);
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

/** An HTTP/1 GET without a body, without conditions, and not from a page of another origin. */
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
  // The client has gone away in the meantime.
  if (response.destroyed) return;
  const { imageResponseCache, limiter, metrics } = dependencies;
  const address = rateLimitKeyOfAddress(request.socket.remoteAddress ?? '');
  // Before anything is rendered, so that requests beyond the limit cost little.
  const rateLimitFields = limiter.tryCountAddress(address);
  if (rateLimitFields === undefined) {
    passToFramework();
    return;
  }
  metrics.begin();
  const startedAtMs = performance.now();
  const imageRequest: ImageRequest = { tenantHost, request, response, rateLimitFields, startedAtMs };
  if ('representation' in matched) {
    sendImage(dependencies, matched, imageRequest);
    return;
  }
  const sendRendered = (representation: Representation): void => {
    const rendered = { representation, route: matched.route, operationId: matched.operationId };
    imageResponseCache.set(tenantHost, request.url ?? '', rendered);
    sendImage(dependencies, rendered, imageRequest);
  };
  // The framework finds the same problem, sends it, and counts the request.
  const undoAndPassToFramework = (): void => {
    metrics.undoBegin();
    limiter.refundAddress(address);
    passToFramework();
  };
  renderImage(matched, tenantHost, sendRendered, undoAndPassToFramework);
}

/** Calls `onRendered` at once where the image is rendered at once. */
function renderImage(
  matched: MatchedImageRoute,
  tenantHost: TenantHost,
  onRendered: (representation: Representation) => void,
  onFailed: () => void,
): void {
  let rendered: Representation | Promise<Representation>;
  try {
    rendered = matched.render(tenantHost);
  } catch {
    onFailed();
    return;
  }
  if (rendered instanceof Promise) rendered.then(onRendered, onFailed);
  else onRendered(rendered);
}
