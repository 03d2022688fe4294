// Who is calling. The directory behind it belongs to the sessions; http knows only this much of it.

import type { Db } from '../../database/db.ts';
import type { Rights } from '../../permissions/needs.ts';
import type { Environment } from '../../permissions/scope.ts';

/** A manager's session as it was read at most 60 seconds ago. */
export type Principal = Rights & {
  readonly managerId: number;
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

export type PrincipalProvider = {
  /**
   * The principal of a token on this tenant's host in this environment; undefined where it opens nothing (any more).
   * At once where it is remembered.
   */
  findPrincipal(
    tenant: string,
    environment: Environment,
    token: string,
  ): Principal | undefined | Promise<Principal | undefined>;
  /** The same principal as it stands inside the transaction given. */
  readCurrentPrincipal(db: Db, principal: Principal): Promise<Principal | undefined>;
};

/** The token of an Authorization header (RFC 6750, 2.1). */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer +([A-Za-z0-9\-._~+/]{1,512}=*) *$/i.exec(authorization ?? '')?.[1];
}
