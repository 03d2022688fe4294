// What is known of a request before any operation looks at it: its trace, its place, and later its principal. It is
// the only thing hung on a request.

import type { FastifyRequest } from 'fastify';
import type { ProblemCode } from '../../lib/problem.ts';
import type { Principal } from './principal.ts';
import type { TenantHost } from './tenancy.ts';
import type { Trace } from './trace.ts';

export type RequestContext = {
  readonly trace: Trace;
  readonly startedAtMs: number;
  readonly clientAddress: string;
  /** Undefined only where the host is unknown, or does not matter. */
  readonly tenantHost: TenantHost | undefined;
  principal: Principal | undefined;
  problemCode: ProblemCode | undefined;
  readonly operationId: string | undefined;
  /** The pattern of the route, empty where there is none. */
  readonly routePattern: string;
  /** Answers whatever the host. */
  readonly anyHost: boolean;
};

declare module 'fastify' {
  interface FastifyRequest {
    requestContext: RequestContext;
  }
  interface FastifyContextConfig {
    /** Answers whatever the host: the health routes. */
    anyHost?: boolean;
    operationId?: string;
  }
}

/** The place of a request that was let in by the host check. */
export function tenantHostOf(request: FastifyRequest): TenantHost {
  const { tenantHost } = request.requestContext;
  if (tenantHost === undefined) throw new Error('a request without a tenant went past the host check');
  return tenantHost;
}
