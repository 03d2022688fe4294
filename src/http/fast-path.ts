// Serves plain requests for public images, and for answers that are known already, without the framework, whose routing
// takes longer than the whole response. All other requests, and all problems, are the framework's: it gets such a request
// untouched.

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
import type { KnownAnswers } from './known-answers.ts';
import { sendFinished, type FastRequest, type FinishedAnswer } from './send-finished.ts';
import { listImageFields, sendImage, type SendImageDependencies } from './send-image.ts';

export type FastPathDependencies = SendImageDependencies & {
  readonly imageRouter: ImageRouter;
  readonly imageResponseCache: ImageResponseCache;
  readonly knownAnswers: KnownAnswers;
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
export function createFastPath(
  dependencies: FastPathDependencies,
  frameworkListener: RequestListener,
): RequestListener {
  const deferred = createDeferredRunner();
  return (request, response) => {
    const passToFramework = (): void => frameworkListener(request, response);
    if (!isPlainGet(request) || dependencies.isClosing()) {
      passToFramework();
      return;
    }
    const target = findTarget(dependencies, request);
    if (target === undefined) deferred.run(passToFramework);
    else if ('answer' in target)
      deferred.run(() => serveAnswer(dependencies, target, { request, response, passToFramework }));
    else deferred.runLast(() => serveImage(dependencies, target, { request, response, passToFramework }));
  };
}

type AnswerTarget = { readonly tenantHost: TenantHost; readonly answer: FinishedAnswer };
type ImageTarget = { readonly tenantHost: TenantHost; readonly image: CachedImageResponse | MatchedImageRoute };

/** What a plain request asks for, if it is served here. */
function findTarget(
  { imageRouter, imageResponseCache, knownAnswers, findTenantHost }: FastPathDependencies,
  request: IncomingMessage,
): AnswerTarget | ImageTarget | undefined {
  const { url = '' } = request;
  const mayBeKnown = knownAnswers.mayKnow(url);
  if (!mayBeKnown && !imageRouter.mayMatch(url)) return undefined;
  const host = readRequestHost(request);
  const tenantHost = host === undefined ? undefined : findTenantHost(host);
  if (tenantHost === undefined) return undefined;
  if (mayBeKnown) {
    const answer = knownAnswers.find(tenantHost, request);
    return answer === undefined ? undefined : { tenantHost, answer };
  }
  const image = imageResponseCache.get(tenantHost, url) ?? imageRouter.findRoute(url);
  return image === undefined ? undefined : { tenantHost, image };
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

type Exchange = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly passToFramework: () => void;
};

/** Counts a request of the fast path; undefined where limits leave it to the framework to refuse it. */
function beginRequest(
  { findClientIp, limiter, metrics, unsentAnswers }: FastPathDependencies,
  tenantHost: TenantHost,
  { request, response }: Exchange,
): FastRequest | undefined {
  const clientIp = findClientIp(request);
  const clientAddress = rateLimitKeyOfAddress(clientIp);
  // Before anything is rendered, so that requests beyond the limit cost little.
  const rateLimitFields = unsentAnswers.isFull(clientAddress) ? undefined : limiter.tryCountAddress(clientAddress);
  if (rateLimitFields === undefined) return undefined;
  metrics.begin();
  connectionOf(request)?.beginRequest();
  const startedAtMs = performance.now();
  return { tenantHost, request, response, clientIp, clientAddress, rateLimitFields, startedAtMs };
}

/** Between two pieces of a streamed image the connection looks idle. */
function endRequestWhenSent({ request, response }: FastRequest): void {
  const connection = connectionOf(request);
  if (response.writableEnded || response.destroyed) connection?.endRequest();
  else response.once('close', () => connection?.endRequest());
}

function serveAnswer(
  dependencies: FastPathDependencies,
  { tenantHost, answer }: AnswerTarget,
  exchange: Exchange,
): void {
  // The client has gone away in the meantime.
  if (exchange.response.destroyed) return;
  const fastRequest = beginRequest(dependencies, tenantHost, exchange);
  if (fastRequest === undefined) {
    exchange.passToFramework();
    return;
  }
  sendFinished(dependencies, answer, fastRequest);
  endRequestWhenSent(fastRequest);
}

function serveImage(dependencies: FastPathDependencies, { tenantHost, image }: ImageTarget, exchange: Exchange): void {
  const { request, response, passToFramework } = exchange;
  // The client has gone away in the meantime.
  if (response.destroyed) return;
  const fastRequest = beginRequest(dependencies, tenantHost, exchange);
  if (fastRequest === undefined) {
    passToFramework();
    return;
  }
  const send = (found: CachedImageResponse): void => {
    sendImage(dependencies, found, fastRequest);
    endRequestWhenSent(fastRequest);
  };
  if ('representation' in image) {
    send(image);
    return;
  }
  const { imageResponseCache, limiter, metrics, unsentAnswers } = dependencies;
  const { clientAddress } = fastRequest;
  const sendRendered = (representation: Representation): void => {
    // It was not full when rendering began.
    if (unsentAnswers.isFull(clientAddress, heldBytesOf(representation.body))) {
      setImageFailure(request, new Problem('unread-answers'));
      undoAndPassToFramework();
      return;
    }
    const { route, operationId } = image;
    const rendered = { representation, route, operationId, fields: listImageFields(representation, dependencies) };
    imageResponseCache.set(tenantHost, request.url ?? '', rendered);
    send(rendered);
  };
  // The framework counts the request, and sends the problem.
  const undoAndPassToFramework = (): void => {
    metrics.undoBegin();
    limiter.refundAddress(clientAddress);
    connectionOf(request)?.endRequest();
    passToFramework();
  };
  renderImage(image, fastRequest, sendRendered, undoAndPassToFramework);
}

/** Calls `onRendered` at once where the image is rendered at once. */
function renderImage(
  matched: MatchedImageRoute,
  { tenantHost, clientAddress, request }: FastRequest,
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
