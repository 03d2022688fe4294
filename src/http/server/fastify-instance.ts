// Creates the Fastify instance without routes: every limit set, every method known, unreadable requests refused.

import Fastify, {
  type FastifyBaseLogger,
  LogController,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { METHODS } from 'node:http';
import type { Logger } from 'pino';
import { toMs2000 } from '../../lib/ms2000.ts';
import { Problem } from '../../lib/problem.ts';
import { setCommonHeaders } from '../context/common-headers.ts';
import { createRequestContext, unmatchedRoute } from '../context/request-context.ts';
import { readRequestId } from '../context/request-id.ts';
import { parseAbsoluteForm } from '../context/tenancy.ts';
import { replyWithError, toProblem } from '../error-reply.ts';
import { defaultMaxBodyBytes } from '../operation-properties.ts';
import { replyToClientError } from './client-error.ts';
import { limits } from './limits.ts';

const knownMethods = new Set(METHODS);

type FastifyInstanceOptions = {
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  readonly log: Logger;
  /** Epoch milliseconds. */
  readonly clock: () => number;
};

export function createFastifyInstance(options: FastifyInstanceOptions): FastifyInstance {
  const app = instantiateFastify(options);
  app.decorateRequest('requestContext');
  addAllHttpMethods(app);
  app.server.maxConnections = limits.maxConnections;
  return app;
}

// The framework sets these by itself only on a plain HTTP/1.1 server.
const httpServerOptions = {
  requireHostHeader: false,
  maxHeaderSize: limits.maxHeaderBytes,
  headersTimeout: limits.headersTimeoutMs,
  requestTimeout: limits.requestTimeoutMs,
  keepAliveTimeout: limits.keepAliveTimeoutMs,
  connectionsCheckingInterval: limits.connectionsCheckIntervalMs,
};

const http2Settings = { maxConcurrentStreams: limits.maxConcurrentStreams, maxHeaderListSize: limits.maxHeaderBytes };

function instantiateFastify(options: FastifyInstanceOptions): FastifyInstance {
  const settings = frameworkSettings(options);
  const { tls } = options;
  if (tls === undefined) return Fastify({ ...settings, http: httpServerOptions }) as unknown as FastifyInstance;
  const https = {
    ...httpServerOptions,
    ...tls,
    settings: http2Settings,
    allowHTTP1: true,
    minVersion: 'TLSv1.2' as const,
  };
  const http2Options = { ...settings, http2: true, https, http2SessionTimeout: limits.keepAliveTimeoutMs };
  // HTTP/1.1 is served on the same port, so that the instance is typed as an HTTP/1.1 one.
  return Fastify(http2Options as object);
}

const frameworkSettings = ({ log, clock }: FastifyInstanceOptions) => ({
  loggerInstance: log,
  logController: new LogController({ disableRequestLogging: true }),
  // A logger for each request would cost more than its one line; log lines name their request themselves.
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
    // Each operation's schema parses the query.
    querystringParser: () => ({}),
  },
  genReqId: readRequestId,
  rewriteUrl: rewriteRequestTarget,
  frameworkErrors: createUnreadableRequestHandler(clock),
  clientErrorHandler: replyToClientError,
});

/** The path and query of the request; it also replaces the method where the router does not know it. */
function rewriteRequestTarget(raw: { url?: string | undefined; method?: string | undefined }): string {
  // HTTP/2 accepts any word as a method. The router would pass an unknown one by every hook; every route refuses TRACE.
  if (!knownMethods.has(raw.method ?? '')) raw.method = 'TRACE';
  return parseAbsoluteForm(raw.url ?? '/')?.origin ?? raw.url ?? '/';
}

/** Answers requests that the framework refuses before any hook. */
function createUnreadableRequestHandler(clock: () => number) {
  return (error: Error, request: FastifyRequest, reply: FastifyReply): void => {
    const route = unmatchedRoute;
    request.requestContext = createRequestContext(request, { route, tenantHost: undefined, now: toMs2000(clock()) });
    setCommonHeaders(request, reply);
    // A new problem without the error as its cause: its message repeats the target, whose query is not for the log.
    void replyWithError(new Problem(toProblem(error).code), request, reply);
  };
}

/** A route answers 405 to the methods that it does not have, so the router must know all methods. */
function addAllHttpMethods(app: FastifyInstance): void {
  for (const method of METHODS)
    if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method);
  // An unknown expectation may be ignored (RFC 9110, 10.1.1).
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
}
