// Answers plain requests for public images and statistics with what the framework has just sent to another such
// request. The framework gets all other requests untouched.

import type { FastifyInstance, FastifyRequest, onSendHookHandler } from 'fastify';
import type { IncomingMessage, RequestListener } from 'node:http';
import { fromMs2000 } from '../../lib/time/ms2000.ts';
import { readRequestHost, type TenantHost } from '../context/tenancy.ts';
import { isImageOperation } from '../operations/operation-properties.ts';
import type { Operation } from '../operations/operation.ts';
import { tenantHostOf } from '../requests/request-context.ts';
import { AnswerCache } from './answer-cache.ts';
import { sendAnswer, type SendAnswerDependencies } from './send-answer.ts';

const imageMaxAgeMs = 2000;
const minuteMs = 60_000;

type FastPathDependencies = SendAnswerDependencies & {
  readonly operations: readonly Operation[];
  readonly findTenantHost: (host: string) => TenantHost | undefined;
  /** While the server closes, the framework serves all requests: it also closes their connections. */
  readonly isClosing: () => boolean;
  /** Epoch milliseconds. */
  readonly clock: () => number;
};

/**
 * Handles the server's requests before the framework, and learns the answers of routes that are added later. The fast
 * path saves the framework's routing, its request and reply objects, and its hooks. The gain, as requests per second of
 * processor time with the fast path relative to without the fast path (32 connections, medians of 13 to 15 alternating
 * rounds): a cached icon 1.96, a cached gradient 1.37, the public statistics 1.30.
 */
export function addFastPath(app: FastifyInstance, dependencies: FastPathDependencies): void {
  const { operations, findTenantHost, isClosing } = dependencies;
  const cache = new AnswerCache();
  const freshnessById = new Map(operations.map((operation) => [operation.id, freshnessOf(operation, dependencies)]));
  app.addHook('onRoute', (route) => {
    const findFreshness = freshnessById.get(route.config?.operationId ?? '');
    if (findFreshness !== undefined && route.method === 'GET')
      route.onSend = [...[route.onSend ?? []].flat(), createCachingHook(cache, findFreshness)];
  });
  const imagePrefixes = new Set(operations.filter(isImageOperation).map(({ path }) => path.replace(/\{.*/, '')));
  const isImageTarget = (target: string): boolean => imagePrefixes.values().some((prefix) => target.startsWith(prefix));
  const runWithOthers = createTurn();
  const [frameworkListener] = app.server.listeners('request') as RequestListener[];
  if (frameworkListener === undefined) throw new Error('the framework does not listen for requests');
  app.server.removeListener('request', frameworkListener);
  app.server.on('request', (request: IncomingMessage, response) => {
    const passToFramework = (): void => frameworkListener(request, response);
    const passUnlessGone = (): void => {
      if (!response.destroyed) passToFramework();
    };
    if (!isPlainGet(request) || isClosing()) {
      passToFramework();
      return;
    }
    const host = isPublic(request) ? readRequestHost(request) : undefined;
    const tenantHost = host === undefined ? undefined : findTenantHost(host);
    const answer = tenantHost === undefined ? undefined : cache.get(tenantHost, request);
    if (tenantHost === undefined || answer === undefined) {
      runWithOthers(passUnlessGone, isImageTarget(request.url ?? ''));
      return;
    }
    runWithOthers(() => {
      if (response.destroyed) return;
      if (!sendAnswer(dependencies, answer, { tenantHost, request, response })) passToFramework();
    });
  });
}

/**
 * Plain requests run together, after all that have already arrived were read: the database is asked once for several of
 * them, and clients are woken once for several answers. Those that come last draw images: no read waits for them.
 */
function createTurn(): (run: () => void, isLast?: boolean) => void {
  let first: (() => void)[] = [];
  let last: (() => void)[] = [];
  const runAll = (): void => {
    const waiting = [...first, ...last];
    first = [];
    last = [];
    for (const run of waiting) run();
  };
  return (run, isLast = false) => {
    if (first.length + last.length === 0) setImmediate(runAll);
    (isLast ? last : first).push(run);
  };
}

/** An HTTP/1 GET without a body or conditions, and not from a page of another origin. */
const isPlainGet = ({ method, httpVersionMajor, headers }: IncomingMessage): boolean =>
  method === 'GET' &&
  httpVersionMajor === 1 &&
  headers['if-none-match'] === undefined &&
  headers['if-modified-since'] === undefined &&
  headers.origin === undefined &&
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined;

const isPublic = ({ headers }: IncomingMessage): boolean => headers.authorization === undefined;

/** Returns a function that tells whether an answer may still be sent again; undefined if it never may. */
type FindFreshness = (request: FastifyRequest, body: unknown) => (() => boolean) | undefined;

/** Undefined if the framework sends every answer. */
function freshnessOf(operation: Operation, { clock }: Pick<FastPathDependencies, 'clock'>): FindFreshness | undefined {
  if (isImageOperation(operation))
    return ({ requestContext: { now, compression } }) => {
      // It was rendered for its first request, and most images are requested only once.
      if (compression === 'each') return undefined;
      const drawnAtMs = fromMs2000(now);
      return () => isImageFresh(drawnAtMs, clock());
    };
  const { knownAnswer } = 'knownAnswer' in operation ? operation : {};
  if (knownAnswer === undefined) return undefined;
  return (request, body) => {
    const tenantHost = tenantHostOf(request);
    const known = knownAnswer(tenantHost);
    return known !== undefined && known.text === body ? () => knownAnswer(tenantHost) === known : undefined;
  };
}

/** An image may show the day: it is used only within the minute in which it was rendered. */
const isImageFresh = (drawnAtMs: number, nowMs: number): boolean =>
  Math.abs(nowMs - drawnAtMs) < imageMaxAgeMs && Math.floor(nowMs / minuteMs) === Math.floor(drawnAtMs / minuteMs);

const createCachingHook =
  (cache: AnswerCache, findFreshness: FindFreshness): onSendHookHandler =>
  (request, reply, body, done) => {
    const isFresh =
      reply.statusCode === 200 && isPlainGet(request.raw) && isPublic(request.raw)
        ? findFreshness(request, body)
        : undefined;
    const { operationId = '', routePattern } = request.requestContext;
    if (isFresh !== undefined)
      cache.set(tenantHostOf(request), {
        request: request.raw,
        body,
        reply,
        operationId,
        route: routePattern,
        isFresh,
      });
    done(null, body);
  };
