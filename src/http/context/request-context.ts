// What the HTTP layer knows of a request: when it came in, its trace, its host and, once found, its principal.

import type { FastifyRequest } from 'fastify';
import type { ProblemCode } from '../../lib/problem.ts';
import type { ReplacedProblems } from '../operation.ts';
import type { CompressionMode } from '../compression/allow-compression.ts';
import { rateLimitKeyOfAddress } from './client-address.ts';
import { ClientWatch } from './client-watch.ts';
import type { Principal } from './principal.ts';
import type { TenantHost } from './tenancy.ts';
import { joinTrace, type Trace } from './trace.ts';

/** What each route knows before any request. */
export type RouteInfo = {
  readonly operationId: string | undefined;
  /** The pattern of the route, empty where there is none. */
  readonly routePattern: string;
  /** The route answers on any host. */
  readonly anyHost: boolean;
  /** The operation's own codes for general problems. */
  readonly replacedProblems?: ReplacedProblems | undefined;
};

/** For requests that no route matches. */
export const unmatchedRoute: RouteInfo = { routePattern: '', operationId: undefined, anyHost: false };

export type RequestContext = RouteInfo & {
  readonly trace: Trace;
  /** When the request came in, MS2000. Everything that is done for the request uses this time. */
  readonly now: number;
  /** The same moment of the monotonic clock, for deadlines and durations. */
  readonly startedAtMs: number;
  /** The client's IP address, for the log. */
  readonly clientIp: string;
  /** The client's address as rate limits count it. */
  readonly clientAddress: string;
  /** Undefined only where the host is unknown, or does not matter. */
  readonly tenantHost: TenantHost | undefined;
  readonly clientWatch: ClientWatch;
  principal: Principal | undefined;
  problemCode: ProblemCode | undefined;
  /** Undefined: the answer is not to be compressed. */
  compression: CompressionMode | undefined;
};

declare module 'fastify' {
  interface FastifyRequest {
    requestContext: RequestContext;
  }
  interface FastifyContextConfig {
    /** The route answers on any host: the health routes. */
    anyHost?: boolean;
    operationId?: string;
    /** The operation's own codes for general problems. */
    replacedProblems?: ReplacedProblems | undefined;
  }
}

type CreateRequestContextInput = {
  readonly route: RouteInfo;
  readonly tenantHost: TenantHost | undefined;
  readonly clientIp: string;
  /** MS2000. */
  readonly now: number;
};

export function createRequestContext(
  { headers }: FastifyRequest,
  {
    route: { operationId, routePattern, anyHost, replacedProblems },
    tenantHost,
    clientIp,
    now,
  }: CreateRequestContextInput,
): RequestContext {
  return {
    operationId,
    routePattern,
    anyHost,
    replacedProblems,
    trace: joinTrace(headers.traceparent),
    now,
    startedAtMs: performance.now(),
    clientIp,
    clientAddress: rateLimitKeyOfAddress(clientIp),
    tenantHost,
    clientWatch: new ClientWatch(),
    principal: undefined,
    problemCode: undefined,
    compression: undefined,
  };
}

/** The tenant host of a request that passed the host check. */
export function tenantHostOf({ requestContext: { tenantHost } }: FastifyRequest): TenantHost {
  if (tenantHost === undefined) throw new Error('a request without a tenant passed the host check');
  return tenantHost;
}

/** The principal of a request that passed the guard of a manager operation. */
export function principalOf({ requestContext: { principal } }: FastifyRequest): Principal {
  if (principal === undefined) throw new Error('a request without a principal passed the guard');
  return principal;
}
