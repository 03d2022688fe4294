// The porch: a Fastify instance with every bound set, on which a request becomes a visit, its host chooses the
// tenant, and every error is answered in one way.

import cors from '@fastify/cors';
import Fastify, {
  type FastifyBaseLogger,
  LogController,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type onRequestHookHandler,
} from 'fastify';
import { METHODS, STATUS_CODES, type RequestListener } from 'node:http';
import { constants, type Http2ServerRequest } from 'node:http2';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { Problem } from '../lib/problem.ts';
import type { Tenant } from '../tenants.ts';
import { accessLog, clientGone } from './access-log.ts';
import { expressLane, type LaneParts } from './express-lane.ts';
import { problemBody, problemOf, replyWithError } from './error-reply.ts';
import { addressKey } from './fixed-window.ts';
import { limits } from './limits.ts';
import type { HttpMetrics } from './metrics.ts';
import { defaultMaxBodyBytes, isPicture, type Operation } from './operation.ts';
import { picturesOf } from './pictures.ts';
import type { RateLimiter } from './rate-limit.ts';
import { recentAnswers } from './recent-answers.ts';
import { requestIdOf } from './request-id.ts';
import { absoluteForm, placesByHost, requestHost, type Place } from './tenancy.ts';
import { joinTrace, traceparent } from './trace.ts';
import type { Visit } from './visit.ts';

export type PorchOptions = {
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

const everyMethod = new Set(METHODS);
const hsts = 'max-age=31536000';

export async function buildPorch(options: PorchOptions): Promise<FastifyInstance> {
  const app = createInstance(options);
  app.decorateRequest('visit');
  acceptEveryMethod(app);
  acceptJsonAlone(app);
  const shared = { placeByHost: placesByHost(options.tenants, options.domain), logAccess: accessLog(options.log) };
  const arrive = arrivals(options, shared);
  // Each route knows itself: the framework would spell it out anew for every request.
  app.addHook('onRoute', (route) => {
    const facts = { url: route.url, operationId: route.config?.operationId, anyHost: route.config?.anyHost === true };
    route.onRequest = [arrive(facts), ...[route.onRequest ?? []].flat()];
  });
  await shareWithOrigins(app, options.allowedOrigins);
  const arriveNowhere = arrive(nowhere);
  app.addHook('onRequest', function (request, reply, done) {
    if (request.is404) arriveNowhere.call(this, request, reply, done);
    else done();
  });
  app.setErrorHandler(replyWithError);
  app.setNotFoundHandler(() => {
    throw new Problem('unknown-route');
  });
  app.server.maxConnections = limits.maxConnections;
  const isClosing = closeGracefully(app);
  openExpressLane(app, options, { ...shared, isClosing });
  return app;
}

/** In front of the framework, which would take as long to route such a request as this takes to answer it. */
function openExpressLane(
  { server }: FastifyInstance,
  { operations, tls, allowedOrigins, limiter, metrics, clock }: PorchOptions,
  shared: Pick<LaneParts, 'placeByHost' | 'logAccess' | 'isClosing'>,
): void {
  const [porch] = server.listeners('request') as RequestListener[];
  if (porch === undefined) throw new Error('the framework does not listen for requests');
  server.removeListener('request', porch);
  const everywhere = [
    'x-content-type-options',
    'nosniff',
    ...(tls === undefined ? [] : ['strict-transport-security', hsts]),
    ...(allowedOrigins.length === 0 ? [] : ['vary', 'Origin']),
  ];
  const lane: LaneParts = {
    ...shared,
    limiter,
    metrics,
    everywhere,
    scheme: tls === undefined ? 'http' : 'https',
    pictures: picturesOf(operations.filter(isPicture)),
    recent: recentAnswers(clock),
  };
  server.on('request', expressLane(lane, porch));
}

function createInstance({ tls, log }: PorchOptions): FastifyInstance {
  const settings = {
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    // A logger for each request costs more than the one line it mostly writes; lines name their request themselves.
    childLoggerFactory: (logger: FastifyBaseLogger) => logger,
    bodyLimit: defaultMaxBodyBytes,
    requestTimeout: limits.requestTimeoutMs,
    connectionTimeout: limits.connectionTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    maxRequestsPerSocket: limits.maxRequestsPerSocket,
    forceCloseConnections: 'idle' as const,
    return503OnClosing: false,
    trustProxy: false,
    exposeHeadRoutes: true,
    routerOptions: {
      maxParamLength: limits.maxParamLength,
      caseSensitive: true,
      ignoreTrailingSlash: false,
      // The query is read by each operation's own schema.
      querystringParser: () => ({}),
    },
    genReqId: requestIdOf,
    rewriteUrl: (raw: { url?: string | undefined; method?: string | undefined }) => {
      // HTTP/2 lets any word through as a method. One that the router does not know would pass by every hook, so it is
      // routed as one that every route refuses.
      if (!everyMethod.has(raw.method ?? '')) raw.method = 'TRACE';
      return absoluteForm(raw.url ?? '/')?.origin ?? raw.url ?? '/';
    },
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      // Such a request never reaches the hooks that make it a visit.
      beginVisit(request, reply, undefined, nowhere);
      // Without the error itself, whose message repeats the target and with it a query that is not for the log.
      void replyWithError(new Problem(problemOf(error).code), request, reply);
    },
    clientErrorHandler: refuseUnreadable,
  };
  // Told again what the framework sets on a plain HTTP/1.1 server alone.
  const http = {
    requireHostHeader: false,
    maxHeaderSize: limits.maxHeaderBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: limits.connectionsCheckMs,
  };
  if (tls === undefined) return Fastify({ ...settings, http }) as unknown as FastifyInstance;
  const http2Settings = { maxConcurrentStreams: limits.maxConcurrentStreams, maxHeaderListSize: limits.maxHeaderBytes };
  const https = { ...http, ...tls, settings: http2Settings, allowHTTP1: true, minVersion: 'TLSv1.2' as const };
  const secure = { ...settings, http2: true as const, https, http2SessionTimeout: limits.keepAliveTimeoutMs };
  // HTTP/1.1 comes in at the same port, so the instance is used as if it were that.
  return Fastify(secure as object);
}

/** What arrived is no HTTP that can be read: there is no request to answer by, only a socket. */
function refuseUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const timeout = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const overflow = error.code === 'HPE_HEADER_OVERFLOW';
  const problem = new Problem(timeout ? 'request-timeout' : overflow ? 'header-too-large' : 'invalid-request');
  const { traceId } = joinTrace(undefined);
  const body = JSON.stringify(problemBody(problem, traceId));
  socket.end(
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\nContent-Type: application/problem+json; charset=utf-8\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nContent-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${crypto.randomUUID()}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/** A route answers 405 to whatever it does not know, so the router must know them all. */
function acceptEveryMethod(app: FastifyInstance): void {
  for (const method of METHODS)
    if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method);
  // An expectation that nobody here knows may be ignored (RFC 9110, 10.1.1).
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
}

/**
 * Pages of the configured origins, and no others, may read answers: refusals too, so this comes before anything is
 * refused. OPTIONS is answered by the route itself.
 */
async function shareWithOrigins(app: FastifyInstance, allowedOrigins: readonly string[]): Promise<void> {
  if (allowedOrigins.length === 0) return;
  const allowed = new Set<string | undefined>(allowedOrigins);
  await app.register(cors, {
    origin: (origin, decide) => decide(null, allowed.has(origin)),
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: ['X-Document-Complete', 'Content-Disposition', 'ETag', 'X-Request-Id'],
    maxAge: 600,
    strictPreflight: false,
    preflightContinue: true,
  });
}

// JSON is UTF-8 (RFC 8259, 8.1), and a body comes as it is: what says otherwise would be misread.
function isCoded({ headers }: FastifyRequest): boolean {
  const charset = /;\s*charset="?([^";\s]+)/i.exec(headers['content-type'] ?? '')?.[1];
  const coding = headers['content-encoding'];
  return (
    (charset !== undefined && charset.toLowerCase() !== 'utf-8') ||
    (coding !== undefined && coding.toLowerCase() !== 'identity')
  );
}

/** Bodies are JSON in any of its spellings; a missing body is no error here, the operation's schema decides. */
function acceptJsonAlone(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parseJson = app.getDefaultJsonParser('error', 'error');
  for (const type of ['application/json', 'text/json', /^application\/[\w.+-]+\+json(?:;|$)/i]) {
    app.addContentTypeParser<string>(type, { parseAs: 'string' }, (request, body, done) => {
      if (isCoded(request)) done(new Problem('unsupported-media-type'));
      else if (body === '') done(null, undefined);
      else void parseJson(request, body, done);
    });
  }
}

/** What happens to a request as it comes in at a route: it becomes a visit, and is let in or refused. */
function arrivals(
  { limiter, metrics, tls }: PorchOptions,
  { placeByHost, logAccess }: Pick<LaneParts, 'placeByHost' | 'logAccess'>,
): (route: RouteFacts) => onRequestHookHandler {
  const end = (request: FastifyRequest, reply: FastifyReply): void => {
    const { visit, method } = request;
    const seconds = (performance.now() - visit.startedAtMs) / 1000;
    const status = reply.raw.headersSent ? reply.statusCode : clientGone;
    metrics.end({
      method,
      route: visit.route,
      status,
      seconds,
      scheme: tls === undefined ? 'http' : 'https',
    });
    logAccess({
      requestId: request.id,
      method,
      target: request.raw.url ?? '',
      status,
      seconds,
      traceId: visit.trace.traceId,
      place: visit.place,
      operationId: visit.operationId,
      managerId: visit.principal?.managerId,
      code: visit.problemCode,
    });
  };
  const refusal = (request: FastifyRequest, reply: FastifyReply): Error | undefined => {
    const { place, address } = request.visit;
    if (place === undefined) return new Problem('unknown-host');
    try {
      limiter.address(address, reply);
    } catch (error) {
      return error as Error;
    }
    // Before the body is looked at: what it is does not matter here.
    return request.is404 ? new Problem('unknown-route') : undefined;
  };
  return (route) => (request, reply, done) => {
    const host = requestHost(request.raw);
    const place = host === undefined ? undefined : placeByHost(host);
    beginVisit(request, reply, place, route);
    metrics.begin();
    // The framework's onResponse never comes where the client goes away first.
    reply.raw.on('close', () => end(request, reply));
    if (request.raw.httpVersionMajor > 1) boundStream(request);
    if (tls !== undefined) reply.header('strict-transport-security', hsts);
    done(route.anyHost ? undefined : refusal(request, reply));
  };
}

type RouteFacts = Pick<Visit, 'operationId' | 'anyHost'> & {
  /** The pattern of the route, empty where there is none. */
  readonly url: string;
};
const nowhere: RouteFacts = { url: '', operationId: undefined, anyHost: false };

function beginVisit(
  request: FastifyRequest,
  reply: FastifyReply,
  place: Place | undefined,
  { url, operationId, anyHost }: RouteFacts,
): void {
  const trace = joinTrace(request.headers.traceparent);
  request.visit = {
    trace,
    startedAtMs: performance.now(),
    address: addressKey(request.ip),
    place,
    principal: undefined,
    problemCode: undefined,
    operationId,
    route: url,
    anyHost,
  };
  reply.header('x-request-id', request.id);
  reply.header('traceparent', traceparent(trace));
  reply.header('x-content-type-options', 'nosniff');
}

/** An HTTP/2 stream has no request timeout of its own: one whose body has not come in time is closed. */
function boundStream(request: FastifyRequest): void {
  const { stream } = request.raw as unknown as Http2ServerRequest;
  if (stream.endAfterHeaders) return;
  const overdue = setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), limits.requestTimeoutMs);
  const inTime = (): void => clearTimeout(overdue);
  stream.once('end', inTime);
  stream.once('close', inTime);
}

/**
 * A kept-alive connection would hold the server open until it times out: while closing, every answer ends its
 * connection, and idle ones are closed as they appear.
 */
function closeGracefully(app: FastifyInstance): () => boolean {
  let closing = false;
  app.addHook('onSend', (request, reply, payload, done) => {
    if (closing && request.raw.httpVersionMajor === 1) reply.header('connection', 'close');
    done(null, payload);
  });
  app.addHook('preClose', (done) => {
    closing = true;
    const server = app.server;
    const sweep = setInterval(() => server.closeIdleConnections?.(), 50);
    server.once('close', () => clearInterval(sweep));
    done();
  });
  return () => closing;
}
