// The principal of a request: the manager whose token it has, or the service whose key. Features provide principals.

import type { Db } from '../../database/db.ts';
import type { Rights } from '../../permissions/needs.ts';
import type { Environment } from '../../permissions/scope.ts';

/** A snapshot of a manager's session and rights, at most 60 seconds old; of a service, read for the very request. */
export type Principal = Rights & {
  /**
   * The id of the manager, or of the service where `grantedOperations` is defined: they share one range, and those of
   * services are below 1000. What takes it for a manager's belongs into operations that take no service key.
   */
  readonly managerId: number;
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

export type FindPrincipalInput = {
  readonly tenant: string;
  readonly environment: Environment;
  readonly token: string;
  /** The time of the request, MS2000. */
  readonly now: number;
};

export type PrincipalProvider = {
  /** The principal of a token; undefined where the token is not valid here. Not a promise where it is cached. */
  findPrincipal(input: FindPrincipalInput): Principal | undefined | Promise<Principal | undefined>;
  /** The same principal as the transaction sees it; undefined where its session is not valid any more. */
  readCurrentPrincipal(db: Db, principal: Principal, now: number): Promise<Principal | undefined>;
};

/** Whether the principal is a service with its key. */
export const isService = ({ grantedOperations }: Pick<Principal, 'grantedOperations'>): boolean =>
  grantedOperations !== undefined;

export type FindServiceInput = FindPrincipalInput & {
  /** The client's address as rate limits count it. */
  readonly address: string;
};

/** Provides the principals of services. */
export type ServiceProvider = {
  /** Whether a token looks like the key of a service, which no session's token does. */
  isKey(token: string): boolean;
  /** Undefined where the key is not valid here, or nobody has granted the service anything. */
  findPrincipal(input: FindServiceInput): Promise<Principal | undefined>;
};

/** The token of an Authorization header (RFC 6750, 2.1). */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer +([A-Za-z0-9\-._~+/]{1,512}=*) *$/i.exec(authorization ?? '')?.[1];
}
