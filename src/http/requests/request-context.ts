// What the HTTP layer knows about a request: the time, its trace, its host and, once found, its principal.

import type { FastifyRequest } from 'fastify';
import type { ProblemCode } from '../../lib/problem.ts';
import type { ReplacedProblems } from '../operations/operation.ts';
import type { CompressionMode } from '../representations/allow-compression.ts';
import { rateLimitKeyOfAddress } from '../context/client-address.ts';
import { ClientWatch } from '../context/client-watch.ts';
import type { ComputerPrincipal } from '../context/computer-principal.ts';
import type { Principal } from '../context/principal.ts';
import type { TenantHost } from '../context/tenancy.ts';
import { WaitingTime } from '../context/waiting-time.ts';
import { joinTrace, type Trace } from '../protocol/trace.ts';

/** What each route knows before any request. */
export type RouteInfo = {
  readonly operationId: string | undefined;
  /** The pattern of the route, empty if there is none. */
  readonly routePattern: string;
  /** The route answers on any host. */
  readonly anyHost: boolean;
  /** The operation's own codes for general problems. */
  readonly replacedProblems?: ReplacedProblems | undefined;
};

/** The route information of requests that no route matches. */
export const unmatchedRoute: RouteInfo = { routePattern: '', operationId: undefined, anyHost: false };

type RequestContext = RouteInfo & {
  readonly trace: Trace;
  /** The time at which the request arrived, MS2000. All work for the request uses this time. */
  readonly now: number;
  /** The moment of the request on the monotonic clock, for deadlines and durations. */
  readonly startedAtMs: number;
  /** The client's IP address, for the log. */
  readonly clientIp: string;
  /** The client's address as rate limits count it. */
  readonly clientAddress: string;
  /** Undefined only if the host is unknown or does not matter. */
  readonly tenantHost: TenantHost | undefined;
  readonly clientWatch: ClientWatch;
  readonly waitingTime: WaitingTime;
  principal: Principal | undefined;
  /** The principal of a request to the Equipment API. */
  computer: ComputerPrincipal | undefined;
  problemCode: ProblemCode | undefined;
  /** Undefined: the answer must not be compressed. */
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
    /** The route takes JSON Lines in place of JSON. */
    takesLines?: boolean;
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
    waitingTime: new WaitingTime(),
    principal: undefined,
    computer: undefined,
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

/** The computer of a request that passed the guard of an operation of computers. */
export function computerOf({ requestContext: { computer } }: FastifyRequest): ComputerPrincipal {
  if (computer === undefined) throw new Error('a request without a computer passed the guard');
  return computer;
}
