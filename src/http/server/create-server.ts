// Creates the HTTP server: a Fastify instance whose hooks create each request's context and choose the tenant by its
// host, with one error handler for all routes.

import cors from '@fastify/cors';
import type { FastifyInstance, FastifyRequest, onSendHookHandler } from 'fastify';
import type { Logger } from 'pino';
import { captureLibraryLog } from '../../lib/live-log/capture-log.ts';
import { isEquipmentPath } from '../../lib/equipment-path.ts';
import type { LiveLog } from '../../lib/live-log/live-log.ts';
import { Problem } from '../../lib/problem.ts';
import type { AddressRange, ConnectionLimits } from '../../setting-parsers.ts';
import type { Tenant } from '../../tenants.ts';
import { compressAnswers } from '../compression/compress-answers.ts';
import { Compressor } from '../compression/compressor.ts';
import { createClientIpFinder } from '../context/client-address.ts';
import { createOnRequestHook, createRequestBeginner, type BeginRequest } from '../requests/on-request.ts';
import { unmatchedRoute, type RouteInfo } from '../requests/request-context.ts';
import { tenantHosts } from '../context/tenancy.ts';
import { createTrustedProxies } from '../context/trusted-proxies.ts';
import { addDataPolicy } from '../responses/data-policy.ts';
import { replyWithError } from '../responses/error-reply.ts';
import { createKnownUrls, type KnownUrls } from '../routes/known-urls.ts';
import { isOfEquipmentApi, isRoutine } from '../operations/operation-properties.ts';
import type { Operation } from '../operations/operation.ts';
import type { RateLimiter } from '../limits/rate-limit.ts';
import { prefersHtml } from '../pages/prefers-html.ts';
import { appendToListHeader } from '../protocol/list-header.ts';
import { pathOf, queryStringOf } from '../protocol/request-target.ts';
import { createAccessLog } from '../monitoring/access-log.ts';
import { boundAnswers } from '../limits/bound-answers.ts';
import { addFastPath } from '../fast-path/fast-path.ts';
import { addJsonBodyParsers, addLinesBodyParser } from './body-parsers.ts';
import { createClientErrorHandler } from './client-error.ts';
import { boundConnections } from '../limits/connections.ts';
import { createFastifyInstance } from './fastify-instance.ts';
import { addGracefulShutdown } from './graceful-shutdown.ts';
import type { HttpMetrics } from '../monitoring/metrics.ts';
import { UnsentAnswers, type UnsentLimits } from '../limits/unsent-answers.ts';

type ServerOptions = {
  readonly tenants: readonly Tenant[];
  readonly domain: string;
  readonly allowedOrigins: readonly string[];
  readonly trustedProxies: readonly AddressRange[];
  readonly connections: ConnectionLimits;
  readonly unsentLimits: UnsentLimits;
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  readonly log: Logger;
  readonly liveLog: LiveLog;
  /** That of requests to the Equipment API. */
  readonly equipmentLiveLog: LiveLog;
  readonly limiter: RateLimiter;
  readonly metrics: HttpMetrics;
  /** The fast path serves images and known answers without the framework. */
  readonly operations: readonly Operation[];
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** Aborts when the service is about to stop: from then on, answers close their connections. */
  readonly stopping?: AbortSignal | undefined;
};

export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const trustedProxies = createTrustedProxies(options.trustedProxies);
  const dependencies = {
    ...options,
    findTenantHost: tenantHosts(options.tenants, options.domain),
    findClientIp: createClientIpFinder(trustedProxies),
    logAccess: createAccessLog({
      ...options,
      routineOperations: new Set(options.operations.filter(isRoutine).map(({ id }) => id)),
      longPolls: new Set(options.operations.filter(({ isLongPoll }) => isLongPoll).map(({ id }) => id)),
      equipmentOperations: new Set(options.operations.filter(isOfEquipmentApi).map(({ id }) => id)),
    }),
    unsentAnswers: new UnsentAnswers(options.unsentLimits, options.log),
  };
  const beginRequest = createRequestBeginner(dependencies);
  const handleClientError = createClientErrorHandler(dependencies);
  const log = captureLibraryLog(options.log, (route) =>
    isEquipmentPath(route) ? options.equipmentLiveLog : options.liveLog,
  );
  const app = createFastifyInstance({ tls: options.tls, log, beginRequest, handleClientError });
  boundConnections(app.server, { limits: options.connections, trustedProxies, metrics: options.metrics });
  addJsonBodyParsers(app);
  addLinesBodyParser(app);
  const knownUrls = createKnownUrls();
  addRouteHooks(app, beginRequest, knownUrls);
  await registerCors(app, options.allowedOrigins);
  addUnmatchedRouteHook(app, beginRequest, knownUrls);
  app.setErrorHandler(replyWithError);
  app.setNotFoundHandler(() => {
    throw new Problem('unknown-route');
  });
  const isClosing = addGracefulShutdown(app, options.stopping);
  addDataPolicy(app);
  compressAnswers(app, new Compressor());
  boundAnswers(app, dependencies.unsentAnswers);
  addFastPath(app, { ...dependencies, isClosing });
  return app;
}

/** Each route gets a hook of its own that knows the route: the framework would look it up for every request. */
function addRouteHooks(app: FastifyInstance, beginRequest: BeginRequest, knownUrls: KnownUrls): void {
  app.addHook('onRoute', (route) => {
    const routeInfo: RouteInfo = {
      routePattern: route.url,
      operationId: route.config?.operationId,
      replacedProblems: route.config?.replacedProblems,
      anyHost: route.config?.anyHost === true,
    };
    knownUrls.add(route, routeInfo);
    route.onRequest = [createOnRequestHook(beginRequest, routeInfo), ...[route.onRequest ?? []].flat()];
    if (route.method === 'HEAD') route.onSend = [...[route.onSend ?? []].flat(), dropContentLengthOn304];
  });
}

/** Answers requests that no route matches, before the body is read, which does not matter here. */
function addUnmatchedRouteHook(app: FastifyInstance, beginRequest: BeginRequest, knownUrls: KnownUrls): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) {
      done();
      return;
    }
    const known = knownUrls.find(pathOf(request));
    const refused = beginRequest(known?.route ?? unmatchedRoute, request, reply);
    const page = refused === undefined ? findPageWithoutSlash(request, knownUrls) : undefined;
    if (page !== undefined) {
      appendToListHeader(reply, 'vary', 'Accept');
      reply.redirect(page, permanentRedirectStatus);
      return;
    }
    const problem =
      known === undefined
        ? new Problem('unknown-route')
        : new Problem('method-not-allowed', { headers: { allow: known.allow } });
    done(refused ?? problem);
  });
}

const permanentRedirectStatus = 308;

/** The target without the slash that somebody typed at the end of a page's path; undefined if there is no such page. */
function findPageWithoutSlash(request: FastifyRequest, knownUrls: KnownUrls): string | undefined {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const path = pathOf(request);
  if (!isRead || !path.endsWith('/') || !prefersHtml(request.headers.accept)) return undefined;
  const page = path.slice(0, -1);
  if (knownUrls.find(page)?.allow.startsWith('GET') !== true) return undefined;
  const query = queryStringOf(request);
  return query === '' ? page : `${page}?${query}`;
}

/**
 * A 304 may have a length only if it is that of the corresponding 200 (RFC 9110, 8.6); the framework would send zero.
 */
const dropContentLengthOn304: onSendHookHandler = (_request, reply, payload, done) => {
  if (reply.statusCode === 304) reply.removeHeader('content-length');
  done(null, payload);
};

/**
 * Lets pages of the configured origins read responses (Fetch standard, CORS protocol). Must come before hooks that refuse
 * requests, so that pages can read problems too. Each route answers OPTIONS itself.
 */
async function registerCors(app: FastifyInstance, allowedOrigins: readonly string[]): Promise<void> {
  if (allowedOrigins.length === 0) return;
  const allowed = new Set<string | undefined>(allowedOrigins);
  await app.register(cors, {
    origin: (origin, callback) => callback(null, allowed.has(origin)),
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: ['X-Document-Complete', 'Content-Disposition', 'ETag', 'X-Request-Id'],
    maxAge: 600,
    strictPreflight: false,
    preflightContinue: true,
  });
}
