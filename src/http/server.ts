// The porch: a Fastify instance with every bound set, on which a request becomes a visit, its host chooses the
// tenant, and every error is answered in one way.

import type { FastifyInstance, onSendHookHandler } from 'fastify';
import type { RequestListener } from 'node:http';
import type { Logger } from 'pino';
import { Problem } from '../lib/problem.ts';
import type { Tenant } from '../tenants.ts';
import { accessLog } from './access-log.ts';
import { arrivals, hsts, nowhere } from './arrival.ts';
import { closeGracefully } from './closing.ts';
import { replyWithError } from './error-reply.ts';
import { expressLane, type LaneParts } from './express-lane.ts';
import { openInstance } from './instance.ts';
import { acceptJsonAlone } from './json-bodies.ts';
import type { HttpMetrics } from './metrics.ts';
import { isPicture, type Operation } from './operation.ts';
import { shareWithOrigins } from './origins.ts';
import { picturesOf } from './pictures.ts';
import type { RateLimiter } from './rate-limit.ts';
import { recentAnswers } from './recent-answers.ts';
import { placesByHost } from './tenancy.ts';

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

export async function buildPorch(options: PorchOptions): Promise<FastifyInstance> {
  const app = openInstance(options);
  acceptJsonAlone(app);
  const shared = { placeByHost: placesByHost(options.tenants, options.domain), logAccess: accessLog(options.log) };
  const arrive = arrivals({ ...options, ...shared });
  // Each route knows itself: the framework would spell it out anew for every request.
  app.addHook('onRoute', (route) => {
    const facts = { url: route.url, operationId: route.config?.operationId, anyHost: route.config?.anyHost === true };
    route.onRequest = [arrive(facts), ...[route.onRequest ?? []].flat()];
    if (route.method === 'HEAD') route.onSend = [...[route.onSend ?? []].flat(), tellNoLength];
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
  const isClosing = closeGracefully(app);
  openExpressLane(app, options, { ...shared, isClosing });
  return app;
}

/** A 304 has no length but that of the answer it spares (RFC 9110, 8.6), which the framework takes for none at all. */
const tellNoLength: onSendHookHandler = (_request, reply, payload, done) => {
  if (reply.statusCode === 304) reply.removeHeader('content-length');
  done(null, payload);
};

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
    ...(tls === undefined ? [] : hsts),
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
