// Creates the Fastify instance without routes: it sets every limit, knows every method, and refuses unreadable
// requests.

import Fastify, {
  type FastifyBaseLogger,
  LogController,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { constants } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Http2ServerResponse } from 'node:http2';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { Problem } from '../../lib/problem.ts';
import type { BeginRequest } from '../requests/on-request.ts';
import { unmatchedRoute } from '../requests/request-context.ts';
import { readRequestId } from '../protocol/request-id.ts';
import { parseAbsoluteForm } from '../context/tenancy.ts';
import { problemCodeOf, replyWithError } from '../responses/error-reply.ts';
import type { RawRequest } from '../protocol/raw-request.ts';
import { defaultMaxBodyBytes } from '../operations/operation-properties.ts';
import { limits } from '../limits/limits.ts';

type FastifyInstanceOptions = {
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  readonly log: Logger;
  readonly beginRequest: BeginRequest;
  readonly handleClientError: (error: Error, socket: Socket) => void;
};

export function createFastifyInstance(options: FastifyInstanceOptions): FastifyInstance {
  const app = instantiateFastify(options);
  app.decorateRequest('requestContext');
  // An unknown expectation may be ignored (RFC 9110, 10.1.1).
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  refuseTunnels(app, options.handleClientError);
  return app;
}

// The framework sets these itself only on a plain HTTP/1.1 server.
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
    // A client could have the keys of a connection of TLS 1.2 agreed anew again and again, which costs the service far more
    // than the client (CVE-2011-1473); TLS 1.3 has no such thing.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  };
  const http2Options = { ...settings, http2: true, https, http2SessionTimeout: limits.keepAliveTimeoutMs };
  // HTTP/1.1 is served on the same port, so that the instance has the type of an HTTP/1.1 one.
  return Fastify(http2Options as object);
}

/** The methods that the framework has from the start. */
const routedMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']);

const frameworkSettings = (options: FastifyInstanceOptions) => ({
  loggerInstance: options.log,
  logController: new LogController({ disableRequestLogging: true }),
  // A child logger for each request would cost more than the request's one log line, which names the request itself.
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
  frameworkErrors: createUnreadableRequestHandler(options.beginRequest),
  clientErrorHandler: options.handleClientError,
});

/**
 * The path and query of the request. A method that the router does not know is replaced by TRACE, which every route
 * refuses: the router would skip all hooks for it, and routes for the many methods that Node knows would slow down the
 * start.
 */
function rewriteRequestTarget(raw: RawRequest): string {
  if (!routedMethods.has(raw.method ?? '')) {
    raw.originalMethod = raw.method ?? '';
    raw.method = 'TRACE';
  }
  return parseAbsoluteForm(raw.url ?? '/')?.origin ?? raw.url ?? '/';
}

/** Answers requests that the framework refuses before any hook. */
function createUnreadableRequestHandler(beginRequest: BeginRequest) {
  return (error: Error, request: FastifyRequest, reply: FastifyReply): void => {
    // A new problem without the error as its cause: the error's message repeats the target, whose query must not be
    // logged.
    const problem = beginRequest(unmatchedRoute, request, reply) ?? new Problem(problemCodeOf(error));
    void replyWithError(problem, request, reply);
  };
}

/** Refuses CONNECT, which asks for a tunnel. Node reports it only to this listener, which must handle the socket. */
function refuseTunnels(
  { server }: FastifyInstance,
  handleClientError: FastifyInstanceOptions['handleClientError'],
): void {
  server.on('connect', (request: IncomingMessage, target: Socket | Http2ServerResponse) => {
    if (target instanceof Http2ServerResponse) {
      server.emit('request', request, target as unknown as ServerResponse);
      return;
    }
    target.on('error', () => target.destroy());
    target.setTimeout(limits.headersTimeoutMs, () => target.destroy());
    target.resume();
    handleClientError(new Error('a tunnel was requested'), target);
  });
}
