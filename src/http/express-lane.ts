// The shortest way from a request to an answer that was given a moment ago to somebody else: for those alone that ask
// for nothing out of the ordinary. It keeps to what the porch does for everyone (host, limit, ids, log, metrics); any
// other request goes on to the porch untouched.

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { accessLog } from './access-log.ts';
import { addressKey } from './fixed-window.ts';
import type { HttpMetrics } from './metrics.ts';
import type { RateLimiter } from './rate-limit.ts';
import type { RecentAnswer, RecentAnswers } from './recent-answers.ts';
import { requestIdOf } from './request-id.ts';
import { requestHost, type Place } from './tenancy.ts';
import { joinTrace, traceparent } from './trace.ts';

export type LaneParts = {
  readonly recent: RecentAnswers;
  readonly placeByHost: (host: string) => Place | undefined;
  readonly limiter: RateLimiter;
  readonly metrics: HttpMetrics;
  readonly logAccess: ReturnType<typeof accessLog>;
  readonly scheme: 'http' | 'https';
  /** While the service stops, the porch has more to say. */
  readonly isClosing: () => boolean;
};

/** Answers what it can, and hands everything else to the porch. */
export function expressLane(parts: LaneParts, porch: RequestListener): RequestListener {
  const { recent, placeByHost, isClosing } = parts;
  const hold = together();
  return (request, response) => {
    if (request.httpVersionMajor === 1) hold(request.socket);
    const host = isPlain(request) && !isClosing() ? requestHost(request) : undefined;
    const place = host === undefined ? undefined : placeByHost(host);
    const found = place === undefined ? undefined : recent.get(place, request.url ?? '');
    if (found === undefined || place === undefined || !repeat(parts, found, place, request, response))
      porch(request, response);
  };
}

/** A GET without a body, without conditions, from no page of another origin. */
function isPlain({ method, httpVersionMajor, headers }: IncomingMessage): boolean {
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

/** Gives the answer again; false where the limit refuses it. */
function repeat(
  { limiter, metrics, logAccess, scheme }: LaneParts,
  { answer, fields, route, operationId }: RecentAnswer,
  place: Place,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  const startedAtMs = performance.now();
  const limitFields = limiter.ofAddress(addressKey(request.socket.remoteAddress ?? ''));
  if (limitFields === undefined) return false;
  const requestId = requestIdOf(request);
  const trace = joinTrace(request.headers['traceparent']);
  const own = ['x-request-id', requestId, 'traceparent', traceparent(trace)];
  response.writeHead(200, [...own, ...fields, ...limitFields]);
  response.end(answer.body);
  const seconds = (performance.now() - startedAtMs) / 1000;
  metrics.begin();
  metrics.end({ method: 'GET', route, status: 200, seconds, scheme });
  logAccess({
    requestId,
    method: 'GET',
    target: request.url ?? '',
    status: 200,
    seconds,
    traceId: trace.traceId,
    place,
    operationId,
    managerId: undefined,
    code: undefined,
  });
  return true;
}

/** Holds back what is written to sockets until every request that has come in by now was looked at. */
function together(): (socket: Socket) => void {
  let held: Socket[] = [];
  const release = (): void => {
    const released = held;
    held = [];
    for (const socket of released) socket.uncork();
  };
  return (socket) => {
    if (held.length === 0) setImmediate(release);
    socket.cork();
    held.push(socket);
  };
}
