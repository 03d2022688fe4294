// Creates the HTTP server: a Fastify instance whose hooks create each request's context and choose the tenant by its
// host, with one error handler for all routes.

import type { FastifyInstance, onSendHookHandler } from 'fastify';
import type { Logger } from 'pino';
import { Problem } from '../../lib/problem.ts';
import type { Tenant } from '../../tenants.ts';
import { createOnRequestHookFactory } from '../context/on-request.ts';
import { unmatchedRoute, type RouteInfo } from '../context/request-context.ts';
import { tenantHosts } from '../context/tenancy.ts';
import { replyWithError } from '../error-reply.ts';
import type { Operation } from '../operation.ts';
import type { RateLimiter } from '../rate-limit.ts';
import { createAccessLog } from './access-log.ts';
import { addImageFastPath } from './add-image-fast-path.ts';
import { registerCors } from './cors.ts';
import { createFastifyInstance } from './fastify-instance.ts';
import { addGracefulShutdown } from './graceful-shutdown.ts';
import { addJsonBodyParsers } from './json-body-parsers.ts';
import type { HttpMetrics } from './metrics.ts';

export type ServerOptions = {
  readonly tenants: readonly Tenant[];
  readonly domain: string;
  readonly allowedOrigins: readonly string[];
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  readonly log: Logger;
  readonly limiter: RateLimiter;
  readonly metrics: HttpMetrics;
  /** The image fast path serves the image operations among them. */
  readonly operations: readonly Operation[];
  /** Epoch milliseconds. */
  readonly clock: () => number;
};

export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const app = createFastifyInstance(options);
  addJsonBodyParsers(app);
  const dependencies = {
    ...options,
    findTenantHost: tenantHosts(options.tenants, options.domain),
    logAccess: createAccessLog(options.log),
  };
  const createOnRequestHook = createOnRequestHookFactory(dependencies);
  addRouteHooks(app, createOnRequestHook);
  // Before anything is refused, so that pages can also read problems.
  await registerCors(app, options.allowedOrigins);
  addUnmatchedRouteHook(app, createOnRequestHook);
  app.setErrorHandler(replyWithError);
  app.setNotFoundHandler(() => {
    throw new Problem('unknown-route');
  });
  addImageFastPath(app, { ...dependencies, isClosing: addGracefulShutdown(app) });
  return app;
}

type CreateOnRequestHook = ReturnType<typeof createOnRequestHookFactory>;

/** Each route gets a hook of its own that knows the route: the framework would look it up for every request. */
function addRouteHooks(app: FastifyInstance, createOnRequestHook: CreateOnRequestHook): void {
  app.addHook('onRoute', (route) => {
    const routeInfo: RouteInfo = {
      routePattern: route.url,
      operationId: route.config?.operationId,
      anyHost: route.config?.anyHost === true,
    };
    route.onRequest = [createOnRequestHook(routeInfo), ...[route.onRequest ?? []].flat()];
    if (route.method === 'HEAD') route.onSend = [...[route.onSend ?? []].flat(), dropContentLengthOn304];
  });
}

function addUnmatchedRouteHook(app: FastifyInstance, createOnRequestHook: CreateOnRequestHook): void {
  const hook = createOnRequestHook(unmatchedRoute);
  app.addHook('onRequest', function (request, reply, done) {
    if (request.is404) hook.call(this, request, reply, done);
    else done();
  });
}

/** A 304 may only have the length of the 200 that it stands for (RFC 9110, 8.6); the framework would send zero. */
const dropContentLengthOn304: onSendHookHandler = (_request, reply, payload, done) => {
  if (reply.statusCode === 304) reply.removeHeader('content-length');
  done(null, payload);
};
