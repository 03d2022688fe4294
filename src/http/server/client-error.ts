// Refuses bytes that are not an HTTP/1 request: there is only a socket, and no request to reply to. The refusal counts
// against the rate limit of the address, and is measured and logged like a request.

import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Problem, type PlainProblemCode } from '../../lib/problem.ts';
import { rateLimitKeyOfAddress } from '../context/client-address.ts';
import { hstsHeader, nosniffHeader } from '../protocol/common-headers.ts';
import type { BeginRequestDependencies } from '../requests/on-request.ts';
import { formatTraceparent, joinTrace } from '../protocol/trace.ts';
import { dataPolicyHeader } from '../responses/data-policy.ts';
import { formatProblemBody } from '../responses/error-reply.ts';
import { hasArrivingBody } from '../limits/arriving-body.ts';
import type { RateLimiter } from '../limits/rate-limit.ts';

/** A parser error gives its `reason`. */
type ClientError = Error & { readonly code?: string; readonly reason?: string };

const requestTimeoutCode = 'ERR_HTTP_REQUEST_TIMEOUT';

type ClientErrorDependencies = Pick<BeginRequestDependencies, 'limiter' | 'metrics' | 'tls' | 'logAccess'>;

export function createClientErrorHandler(
  dependencies: ClientErrorDependencies,
): (error: ClientError, socket: Socket) => void {
  const failedSockets = new WeakSet<Socket>();
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    // The parser reports it once for a request; an upload is ended for its rate.
    if (error.code === requestTimeoutCode && hasArrivingBody(socket)) return;
    // The parser fails again on every byte that follows.
    if (failedSockets.has(socket)) return;
    failedSockets.add(socket);
    refuseAfterRunning(dependencies, new Problem(problemCodeOf(error)), socket);
  };
}

function problemCodeOf({ code, reason = '' }: ClientError): PlainProblemCode {
  if (code === requestTimeoutCode) return 'request-timeout';
  // The parser has the same code for a Transfer-Encoding that is empty, or sent together with Content-Length.
  if (code === 'HPE_INVALID_TRANSFER_ENCODING' && !/Content-Length|Empty/.test(reason))
    return 'unsupported-transfer-coding';
  return code === 'HPE_HEADER_OVERFLOW' ? 'header-too-large' : 'invalid-request';
}

/** Requests that arrived whole before the error are answered first: an earlier answer would be taken for theirs. */
function refuseAfterRunning(dependencies: ClientErrorDependencies, problem: Problem, socket: Socket): void {
  const running = runningResponseOf(socket);
  if (running === undefined) {
    refuse(dependencies, problem, socket);
    return;
  }
  const { req } = running;
  // The error is in the body of a request that is not answered yet: whoever reads the body replies.
  if (!req.complete && !running.headersSent) {
    running.shouldKeepAlive = false;
    emitToReader(req, problem);
    return;
  }
  running.once('close', () => {
    if (socket.writable) refuseAfterRunning(dependencies, problem, socket);
  });
}

/** The body may not be read yet, such as while the session is looked up: its reader gets the error when it begins. */
function emitToReader(req: IncomingMessage, problem: Problem): void {
  if (req.listenerCount('error') > 0) {
    req.emit('error', problem);
    return;
  }
  const onListener = (event: string | symbol): void => {
    if (event !== 'error') return;
    req.off('newListener', onListener);
    process.nextTick(() => req.emit('error', problem));
  };
  req.on('newListener', onListener);
}

/** The first unfinished response of the connection, found as Node's own handler of these errors does. */
const runningResponseOf = (socket: Socket & { readonly _httpMessage?: ServerResponse | null }) =>
  // oxlint-disable-next-line no-underscore-dangle -- Node has no other name for it
  socket._httpMessage ?? undefined;

function refuse(
  { limiter, metrics, tls, logAccess }: ClientErrorDependencies,
  malformed: Problem,
  socket: Socket,
): void {
  metrics.begin();
  const clientIp = socket.remoteAddress ?? '';
  const fields = new Map<string, string>();
  const problem = countAddress(limiter, clientIp, fields) ?? malformed;
  const requestId = crypto.randomUUID();
  const trace = joinTrace(undefined);
  const body = JSON.stringify(formatProblemBody(problem, trace.traceId));
  const { status, retryAfterSeconds } = problem;
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/problem+json; charset=utf-8',
    'Cache-Control: no-store',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    `traceparent: ${formatTraceparent(trace)}`,
    nosniffHeader.join(': '),
    dataPolicyHeader.join(': '),
    ...(tls === undefined ? [] : [hstsHeader.join(': ')]),
    ...(retryAfterSeconds === undefined ? [] : [`Retry-After: ${retryAfterSeconds}`]),
    ...[...fields].map((field) => field.join(': ')),
    'Connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
  // The name that OpenTelemetry's conventions give to a method that is not known.
  const method = '_OTHER';
  metrics.end({ method, route: '', status, seconds: 0, scheme: tls === undefined ? 'http' : 'https' });
  logAccess({
    requestId,
    method,
    requestTarget: '',
    status,
    seconds: 0,
    traceId: trace.traceId,
    clientIp,
    tenantHost: undefined,
    operationId: undefined,
    managerId: undefined,
    problemCode: problem.code,
  });
}

/** Returns the problem if the address has used up its limit, and sets the header fields of the limit. */
function countAddress(limiter: RateLimiter, clientIp: string, fields: Map<string, string>): Problem | undefined {
  const target = {
    getHeader: (name: string) => fields.get(name),
    header: (name: string, value: string) => fields.set(name, value),
  };
  try {
    limiter.countAddress(rateLimitKeyOfAddress(clientIp), target);
    return undefined;
  } catch (error) {
    return error as Problem;
  }
}
