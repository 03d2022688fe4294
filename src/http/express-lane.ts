// The shortest way to a public picture, in front of the framework, which would take longer to route such a request than
// this takes to answer it. It keeps to what the porch does for everyone (host, limit, ids, log, metrics). Whatever is out
// of the ordinary, and every refusal, is the porch's to tell: such a request goes on untouched.

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { clientGone, type AccessLog } from './access-log.ts';
import { addressKey } from './fixed-window.ts';
import type { HttpMetrics } from './metrics.ts';
import type { FoundPicture, Pictures } from './pictures.ts';
import type { RateLimiter } from './rate-limit.ts';
import type { RecentAnswer, RecentAnswers } from './recent-answers.ts';
import { representationFields, type Representation } from './representation.ts';
import { requestIdOf } from './request-id.ts';
import { requestHost, type Place } from './tenancy.ts';
import { joinTrace, traceparent } from './trace.ts';

export type LaneParts = {
  readonly pictures: Pictures;
  readonly recent: RecentAnswers;
  readonly placeByHost: (host: string) => Place | undefined;
  readonly limiter: RateLimiter;
  readonly metrics: HttpMetrics;
  readonly logAccess: AccessLog;
  readonly scheme: 'http' | 'https';
  /** Names and values, in turns, of the fields that every answer has. */
  readonly everywhere: readonly string[];
  /** While the service stops, the porch has more to say. */
  readonly isClosing: () => boolean;
};

/** Answers what it can, and hands everything else to the porch. */
export function expressLane(parts: LaneParts, porch: RequestListener): RequestListener {
  const later = afterwards();
  return (request, response) => {
    const image = imageRequest(parts, request);
    // Whatever is no image goes on at once.
    if (image === undefined) porch(request, response);
    else later(() => serve(parts, image, request, response, () => porch(request, response)));
  };
}

type ImageRequest = { readonly place: Place; readonly found: RecentAnswer | FoundPicture };

/** The image that a request asks for in the plainest way, if it does. */
function imageRequest(
  { pictures, recent, placeByHost, isClosing }: LaneParts,
  request: IncomingMessage,
): ImageRequest | undefined {
  const { url: target = '' } = request;
  if (!pictures.mayBe(target) || !isPlain(request) || isClosing()) return undefined;
  const host = requestHost(request);
  const place = host === undefined ? undefined : placeByHost(host);
  const found = place === undefined ? undefined : (recent.get(place, target) ?? pictures.find(target));
  return place === undefined || found === undefined ? undefined : { place, found };
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

function serve(
  parts: LaneParts,
  { place, found }: ImageRequest,
  request: IncomingMessage,
  response: ServerResponse,
  giveUp: () => void,
): void {
  // The client went away in the meantime.
  if (response.destroyed) return;
  const { recent, limiter, metrics } = parts;
  const { url: target = '' } = request;
  const address = addressKey(request.socket.remoteAddress ?? '');
  // Before anything is drawn: whoever asks too often costs nothing but the refusal.
  const limitFields = limiter.ofAddress(address);
  if (limitFields === undefined) {
    giveUp();
    return;
  }
  metrics.begin();
  const asked: Asked = { place, request, response, limitFields, startedAtMs: performance.now() };
  // The porch meets the same refusal, tells of it, and counts it.
  const refuse = (): void => {
    metrics.abandon();
    limiter.giveBackOfAddress(address);
    giveUp();
  };
  const giveDrawn = (representation: Representation): void => {
    const answer = { representation, route: found.route, operationId: found.operationId };
    recent.keep(place, target, answer);
    send(parts, answer, asked);
  };
  if ('representation' in found) {
    send(parts, found, asked);
    return;
  }
  let drawn: Representation | Promise<Representation>;
  try {
    drawn = found.draw(place);
  } catch {
    refuse();
    return;
  }
  if (drawn instanceof Promise) drawn.then(giveDrawn, refuse);
  else giveDrawn(drawn);
}

type Asked = {
  readonly place: Place;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly limitFields: readonly string[];
  readonly startedAtMs: number;
};

function send(
  { metrics, logAccess, scheme, everywhere }: LaneParts,
  { representation, route, operationId }: RecentAnswer,
  { place, request, response, limitFields, startedAtMs }: Asked,
): void {
  const requestId = requestIdOf(request);
  const trace = joinTrace(request.headers['traceparent']);
  const status = response.destroyed ? clientGone : 200;
  if (status === 200) {
    const own = ['x-request-id', requestId, 'traceparent', traceparent(trace)];
    const { body } = representation;
    const length = ['content-length', String(Buffer.byteLength(body))];
    response.writeHead(200, [
      ...own,
      ...everywhere,
      ...representationFields(representation),
      ...length,
      ...limitFields,
    ]);
    response.end(body);
  }
  const seconds = (performance.now() - startedAtMs) / 1000;
  metrics.end({ method: 'GET', route, status, seconds, scheme });
  logAccess({
    requestId,
    method: 'GET',
    target: request.url ?? '',
    status,
    seconds,
    traceId: trace.traceId,
    place,
    operationId,
    managerId: undefined,
    code: undefined,
  });
}

/**
 * Does what it is handed when every request that has come in by now was looked at: who reads the answers is woken once
 * for several of them.
 */
function afterwards(): (work: () => void) => void {
  let waiting: (() => void)[] = [];
  const release = (): void => {
    const released = waiting;
    waiting = [];
    for (const work of released) work();
  };
  return (work) => {
    if (waiting.length === 0) setImmediate(release);
    waiting.push(work);
  };
}
