// The principal of a request: a manager, identified by a token, or a service, identified by its key. Features provide
// principals.

import type { Db } from '../../database/db.ts';
import type { KeyPath } from '../../lib/queues/turn-queue.ts';
import type { Rights } from '../../permissions/needs.ts';
import type { Environment } from '../../permissions/scope.ts';
import type { Tenant } from '../../tenants.ts';

/**
 * For a manager, a snapshot of session and rights that is at most 60 seconds old; a service is read for each request.
 */
export type Principal = Rights & {
  /**
   * The id of the manager, or of the service (see {@link isService}): they share one range, in which services have ids
   * below 1000. Only an operation that accepts no service key may use it as the id of a manager.
   */
  readonly id: number;
  /** The operations that a service may call; undefined for a manager. */
  readonly grantedOperations?: ReadonlySet<string>;
  readonly tokenHash: string;
  readonly environment: Environment;
  /** MS2000. */
  readonly expiresAt: number;
  readonly retentionDays: number | null;
  readonly profile: {
    readonly name: string;
    readonly email: string;
    readonly organisation: string;
    readonly personIcon: string;
    readonly theme: number;
  };
};

type FindPrincipalInput = {
  readonly tenant: string;
  readonly environment: Environment;
  readonly token: string;
  /** The time of the request, MS2000. */
  readonly now: number;
};

export type PrincipalProvider = {
  /** The principal of a token; undefined if the token is not valid here. It is not a promise if it is cached. */
  findPrincipal(input: FindPrincipalInput): Principal | undefined | Promise<Principal | undefined>;
  /** Returns the principal as the transaction sees it; undefined if its session is no longer valid. */
  readCurrentPrincipal(db: Db, principal: Principal, now: number): Promise<Principal | undefined>;
};

/** The key under which a principal's work waits in a queue: tenants take turns, and within a tenant its principals. */
export const queueKeyOf = ({ name }: Tenant, { id }: Pick<Principal, 'id'>): KeyPath => [name, String(id)];

/** Whether the principal is a service. */
export const isService = ({ grantedOperations }: Pick<Principal, 'grantedOperations'>): boolean =>
  grantedOperations !== undefined;

export type FindServiceInput = FindPrincipalInput & {
  /** The client's address as rate limits count it. */
  readonly address: string;
};

/** Provides the principals of services. */
export type ServiceProvider = {
  /** Whether a token looks like the key of a service; no session token does. */
  isKey(token: string): boolean;
  /** Undefined if the key is not valid here, or nobody has granted the service anything. */
  findPrincipal(input: FindServiceInput): Promise<Principal | undefined>;
};

/** The token of an Authorization header (RFC 6750, 2.1). */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer +([A-Za-z0-9\-._~+/]{1,512}=*) *$/i.exec(authorization ?? '')?.[1];
}
