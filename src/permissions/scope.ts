// The scope of a request: which tenant's data, in which environment, and how far its principal's grants reach. It is
// made in one place from host and token; every query over tenant data takes it and cannot do without.

import type { Grants } from './needs.ts';

export type Environment = 'production' | 'beta';

declare const brand: unique symbol;

export type Scope = {
  readonly tenant: string;
  readonly environment: Environment;
  readonly grants: Grants;
  /** The manager's own override of the tenant's identity retention, in days; zero or less is none. */
  readonly retentionDays: number;
  readonly [brand]: true;
};

export function createScope(
  tenant: string,
  environment: Environment,
  grants: Grants,
  retentionDays: number | null,
): Scope {
  return { tenant, environment, grants, retentionDays: retentionDays ?? 0 } as Scope;
}
