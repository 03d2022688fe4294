// Serves plain requests for public images without the framework, whose routing takes longer than the whole response. All
// other requests, and all problems, are the framework's: it gets such a request untouched.

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { heldBytesOf } from '../lib/deflated-bytes.ts';
import { Problem } from '../lib/problem.ts';
import { rateLimitKeyOfAddress, type FindClientIp } from './context/client-address.ts';
import { readRequestHost, type TenantHost } from './context/tenancy.ts';
import { createDeferredRunner } from './deferred-runner.ts';
import { setImageFailure } from './image-failure.ts';
import type { CachedImageResponse, ImageResponseCache } from './image-response-cache.ts';
import type { ImageRouter, MatchedImageRoute } from './image-router.ts';
import type { RateLimiter } from './rate-limit.ts';
import type { Representation } from './representation.ts';
import { connectionOf } from './server/connections.ts';
import { listImageFields, sendImage, type ImageRequest, type SendImageDependencies } from './send-image.ts';

export type ImageFastPathDependencies = SendImageDependencies & {
  readonly imageRouter: ImageRouter;
  readonly imageResponseCache: ImageResponseCache;
  readonly findTenantHost: (host: string) => TenantHost | undefined;
  readonly findClientIp: FindClientIp;
  readonly limiter: RateLimiter;
  /** While the server closes, the framework serves all requests: it also closes their connections. */
  readonly isClosing: () => boolean;
};

/**
 * A listener that serves images, and hands every other request to the framework's listener. Plain requests that arrive
 * together are answered together, in the same turn of the event loop: those that are no images first, so that no read
 * waits for an image to be drawn.
 */
export function createImageFastPath(
  dependencies: ImageFastPathDependencies,
  frameworkListener: RequestListener,
): RequestListener {
  const deferred = createDeferredRunner();
  return (request, response) => {
    const passToFramework = (): void => frameworkListener(request, response);
    if (!isPlainGet(request) || dependencies.isClosing()) passToFramework();
    else {
      const target = findImageTarget(dependencies, request);
      if (target === undefined) deferred.run(passToFramework);
      else deferred.runLast(() => serveImage(dependencies, target, request, response, passToFramework));
    }
  };
}

type ImageTarget = { readonly tenantHost: TenantHost; readonly matched: CachedImageResponse | MatchedImageRoute };

/** The image that a plain request asks for. */
function findImageTarget(
  { imageRouter, imageResponseCache, findTenantHost }: ImageFastPathDependencies,
  request: IncomingMessage,
): ImageTarget | undefined {
  const { url = '' } = request;
  if (!imageRouter.mayMatch(url)) return undefined;
  const host = readRequestHost(request);
  const tenantHost = host === undefined ? undefined : findTenantHost(host);
  if (tenantHost === undefined) return undefined;
  const matched = imageResponseCache.get(tenantHost, url) ?? imageRouter.findRoute(url);
  return matched === undefined ? undefined : { tenantHost, matched };
}

/** An HTTP/1 GET without a body, without conditions, and not from a page of another origin. */
function isPlainGet({ method, httpVersionMajor, headers }: IncomingMessage): boolean {
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
  const { imageResponseCache, findClientIp, limiter, metrics, unsentAnswers } = dependencies;
  const clientIp = findClientIp(request);
  const clientAddress = rateLimitKeyOfAddress(clientIp);
  // Before anything is rendered, so that requests beyond the limit cost little.
  const rateLimitFields = unsentAnswers.isFull(clientAddress) ? undefined : limiter.tryCountAddress(clientAddress);
  if (rateLimitFields === undefined) {
    passToFramework();
    return;
  }
  metrics.begin();
  const connection = connectionOf(request);
  connection?.beginRequest();
  const startedAtMs = performance.now();
  const imageRequest: ImageRequest = {
    tenantHost,
    request,
    response,
    clientIp,
    clientAddress,
    rateLimitFields,
    startedAtMs,
  };
  // Between two pieces of a streamed image the connection looks idle.
  const endRequestWhenSent = (): void => {
    if (response.writableEnded || response.destroyed) connection?.endRequest();
    else response.once('close', () => connection?.endRequest());
  };
  if ('representation' in matched) {
    sendImage(dependencies, matched, imageRequest);
    endRequestWhenSent();
    return;
  }
  const sendRendered = (representation: Representation): void => {
    // It was not full when rendering began.
    if (unsentAnswers.isFull(clientAddress, heldBytesOf(representation.body))) {
      setImageFailure(request, new Problem('unread-answers'));
      undoAndPassToFramework();
      return;
    }
    const { route, operationId } = matched;
    const rendered = { representation, route, operationId, fields: listImageFields(representation, dependencies) };
    imageResponseCache.set(tenantHost, request.url ?? '', rendered);
    sendImage(dependencies, rendered, imageRequest);
    endRequestWhenSent();
  };
  // The framework counts the request, and sends the problem.
  const undoAndPassToFramework = (): void => {
    metrics.undoBegin();
    limiter.refundAddress(clientAddress);
    connection?.endRequest();
    passToFramework();
  };
  renderImage(matched, imageRequest, sendRendered, undoAndPassToFramework);
}

/** Calls `onRendered` at once where the image is rendered at once. */
function renderImage(
  matched: MatchedImageRoute,
  { tenantHost, clientAddress, request }: ImageRequest,
  onRendered: (representation: Representation) => void,
  onFailed: () => void,
): void {
  let rendered: Representation | Promise<Representation>;
  try {
    rendered = matched.render(tenantHost, clientAddress);
  } catch {
    // The framework finds the same problem at once.
    onFailed();
    return;
  }
  if (rendered instanceof Promise)
    rendered.then(onRendered, (error: unknown) => {
      setImageFailure(request, error);
      onFailed();
    });
  else onRendered(rendered);
}
