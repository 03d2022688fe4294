// The framework's instance: with every bound set, taking every method, and refusing what it cannot read in the one way.

import Fastify, {
  type FastifyBaseLogger,
  LogController,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { METHODS, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { Problem } from '../../lib/problem.ts';
import { createRequestContext, unmatchedRoute } from '../context/on-request.ts';
import { formatProblemBody, toProblem, replyWithError } from '../error-reply.ts';
import { limits } from './limits.ts';
import { defaultMaxBodyBytes } from '../operation.ts';
import { readRequestId } from '../context/request-id.ts';
import { parseAbsoluteForm } from '../context/tenancy.ts';
import { joinTrace } from '../context/trace.ts';

const knownMethods = new Set(METHODS);

type FastifyInstanceOptions = {
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  readonly log: Logger;
};

/** An instance without a route. */
export function createFastifyInstance(options: FastifyInstanceOptions): FastifyInstance {
  const app = instantiateFastify(options);
  app.decorateRequest('visit');
  addAllHttpMethods(app);
  app.server.maxConnections = limits.maxConnections;
  return app;
}

function instantiateFastify({ tls, log }: FastifyInstanceOptions): FastifyInstance {
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
    genReqId: readRequestId,
    rewriteUrl: (raw: { url?: string | undefined; method?: string | undefined }) => {
      // HTTP/2 lets any word through as a method. One that the router does not know would pass by every hook, so it is
      // routed as one that every route refuses.
      if (!knownMethods.has(raw.method ?? '')) raw.method = 'TRACE';
      return parseAbsoluteForm(raw.url ?? '/')?.origin ?? raw.url ?? '/';
    },
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      // Such a request never reaches the hooks that make it a visit.
      createRequestContext(request, reply, undefined, unmatchedRoute);
      // Without the error itself, whose message repeats the target and with it a query that is not for the log.
      void replyWithError(new Problem(toProblem(error).code), request, reply);
    },
    clientErrorHandler: replyToClientError,
  };
  // Told again what the framework sets on a plain HTTP/1.1 server alone.
  const httpServerOptions = {
    requireHostHeader: false,
    maxHeaderSize: limits.maxHeaderBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: limits.connectionsCheckIntervalMs,
  };
  if (tls === undefined) return Fastify({ ...settings, http: httpServerOptions }) as unknown as FastifyInstance;
  const http2Settings = { maxConcurrentStreams: limits.maxConcurrentStreams, maxHeaderListSize: limits.maxHeaderBytes };
  const httpsServerOptions = {
    ...httpServerOptions,
    ...tls,
    settings: http2Settings,
    allowHTTP1: true,
    minVersion: 'TLSv1.2' as const,
  };
  const http2Options = {
    ...settings,
    http2: true as const,
    https: httpsServerOptions,
    http2SessionTimeout: limits.keepAliveTimeoutMs,
  };
  // HTTP/1.1 comes in at the same port, so the instance is used as if it were that.
  return Fastify(http2Options as object);
}

/** What arrived is no HTTP that can be read: there is no request to answer by, only a socket. */
function replyToClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const timeout = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const overflow = error.code === 'HPE_HEADER_OVERFLOW';
  const problem = new Problem(timeout ? 'request-timeout' : overflow ? 'header-too-large' : 'invalid-request');
  const { traceId } = joinTrace(undefined);
  const body = JSON.stringify(formatProblemBody(problem, traceId));
  socket.end(
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\nContent-Type: application/problem+json; charset=utf-8\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nContent-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${crypto.randomUUID()}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/** A route answers 405 to whatever it does not know, so the router must know them all. */
function addAllHttpMethods(app: FastifyInstance): void {
  for (const method of METHODS)
    if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method);
  // An expectation that nobody here knows may be ignored (RFC 9110, 10.1.1).
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
}
