// What is known about a request when it has ended.

import type { ProblemCode } from '../../lib/problem.ts';
import type { ComputerPrincipal } from '../context/computer-principal.ts';
import type { TenantHost } from '../context/tenancy.ts';

export type AccessLogEntry = {
  readonly requestId: string;
  readonly method: string;
  /** The request target as it was sent. */
  readonly requestTarget: string;
  readonly status: number;
  readonly seconds: number;
  /** How long the request waited for something to happen. */
  readonly waitedMs?: number;
  /** Epoch milliseconds; undefined where the time of the request was not read. */
  readonly endedAt?: number;
  readonly traceId: string;
  readonly clientIp: string;
  readonly tenantHost: TenantHost | undefined;
  readonly operationId: string | undefined;
  readonly managerId: number | undefined;
  /** The id of the service that sent the request. */
  readonly serviceId?: number | undefined;
  /** The computer that sent the request, of the tenant. */
  readonly computer?: Pick<ComputerPrincipal, 'bankId' | 'computerId'> | undefined;
  readonly problemCode: ProblemCode | undefined;
};
