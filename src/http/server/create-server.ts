// The porch: a Fastify instance with every bound set, on which a request becomes a visit, its host chooses the
// tenant, and every error is answered in one way.

import type { FastifyInstance, onSendHookHandler } from 'fastify';
import type { RequestListener } from 'node:http';
import type { Logger } from 'pino';
import { Problem } from '../../lib/problem.ts';
import type { Tenant } from '../../tenants.ts';
import { createAccessLog } from './access-log.ts';
import { createOnRequestHookFactory, hstsHeader, unmatchedRoute } from '../context/on-request.ts';
import { addGracefulShutdown } from './graceful-shutdown.ts';
import { replyWithError } from '../error-reply.ts';
import { createImageFastPath, type ImageFastPathDependencies } from '../image-fast-path.ts';
import { createFastifyInstance } from './fastify-instance.ts';
import { addJsonBodyParsers } from './json-body-parsers.ts';
import type { HttpMetrics } from './metrics.ts';
import { isImageOperation, type Operation } from '../operation.ts';
import { registerCors } from './cors.ts';
import { createImageRouter } from '../image-router.ts';
import type { RateLimiter } from '../rate-limit.ts';
import { createImageResponseCache } from '../image-response-cache.ts';
import { tenantHosts } from '../context/tenancy.ts';

export type ServerOptions = {
  readonly tenants: readonly Tenant[];
  readonly domain: string;
  readonly allowedOrigins: readonly string[];
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  readonly log: Logger;
  readonly limiter: RateLimiter;
  readonly metrics: HttpMetrics;
  /** The pictures among them go by the express lane. */
  readonly operations: readonly Operation[];
  /** Epoch milliseconds. */
  readonly clock: () => number;
};

export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const app = createFastifyInstance(options);
  addJsonBodyParsers(app);
  const sharedDependencies = {
    findTenantHost: tenantHosts(options.tenants, options.domain),
    logAccess: createAccessLog(options.log),
  };
  const createOnRequestHook = createOnRequestHookFactory({ ...options, ...sharedDependencies });
  // Each route knows itself: the framework would spell it out anew for every request.
  app.addHook('onRoute', (route) => {
    const routeInfo = {
      routePattern: route.url,
      operationId: route.config?.operationId,
      anyHost: route.config?.anyHost === true,
    };
    route.onRequest = [createOnRequestHook(routeInfo), ...[route.onRequest ?? []].flat()];
    if (route.method === 'HEAD') route.onSend = [...[route.onSend ?? []].flat(), dropContentLengthOn304];
  });
  await registerCors(app, options.allowedOrigins);
  const unmatchedRouteHook = createOnRequestHook(unmatchedRoute);
  app.addHook('onRequest', function (request, reply, done) {
    if (request.is404) unmatchedRouteHook.call(this, request, reply, done);
    else done();
  });
  app.setErrorHandler(replyWithError);
  app.setNotFoundHandler(() => {
    throw new Problem('unknown-route');
  });
  const isClosing = addGracefulShutdown(app);
  addImageFastPath(app, options, { ...sharedDependencies, isClosing });
  return app;
}

/** A 304 has no length but that of the answer it spares (RFC 9110, 8.6), which the framework takes for none at all. */
const dropContentLengthOn304: onSendHookHandler = (_request, reply, payload, done) => {
  if (reply.statusCode === 304) reply.removeHeader('content-length');
  done(null, payload);
};

/** In front of the framework, which would take as long to route such a request as this takes to answer it. */
function addImageFastPath(
  { server }: FastifyInstance,
  { operations, tls, allowedOrigins, limiter, metrics, clock }: ServerOptions,
  shared: Pick<ImageFastPathDependencies, 'findTenantHost' | 'logAccess' | 'isClosing'>,
): void {
  const [frameworkListener] = server.listeners('request') as RequestListener[];
  if (frameworkListener === undefined) throw new Error('the framework does not listen for requests');
  server.removeListener('request', frameworkListener);
  const commonHeaders = [
    'x-content-type-options',
    'nosniff',
    ...(tls === undefined ? [] : hstsHeader),
    ...(allowedOrigins.length === 0 ? [] : ['vary', 'Origin']),
  ];
  const fastPathDependencies: ImageFastPathDependencies = {
    ...shared,
    limiter,
    metrics,
    commonHeaders,
    scheme: tls === undefined ? 'http' : 'https',
    imageRouter: createImageRouter(operations.filter(isImageOperation)),
    imageResponseCache: createImageResponseCache(clock),
  };
  server.on('request', createImageFastPath(fastPathDependencies, frameworkListener));
}
