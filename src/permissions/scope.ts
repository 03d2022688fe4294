// The scope of a request: which tenant's data, in which environment, and what its principal's grants cover. Every query
// over tenant data takes a scope, or a value that was made from one.

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

const operatorGrants: Grants = { tenantWide: true, banks: new Set(), locations: new Map() };

/** The scope of the command line and of demo data, which have no manager: all of a tenant. Never for requests. */
export const createOperatorScope = (tenant: string): Scope => createScope(tenant, 'production', operatorGrants, null);
