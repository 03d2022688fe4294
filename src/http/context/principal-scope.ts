// Creates the scope of a request from its host and its principal: the only code that creates a manager's scope.

import { createScope, type Scope } from '../../permissions/scope.ts';
import type { Principal } from './principal.ts';
import type { TenantHost } from './tenancy.ts';

export const createPrincipalScope = (
  { tenant, environment }: TenantHost,
  { grants, retentionDays }: Principal,
): Scope => createScope(tenant.name, environment, grants, retentionDays);
