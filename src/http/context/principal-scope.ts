// Creates the scope of a request from its host and its principal: the only code that creates the scope of a manager or a
// computer.

import { createScope, type Scope } from '../../permissions/scope.ts';
import type { ComputerPrincipal } from './computer-principal.ts';
import type { Principal } from './principal.ts';
import type { TenantHost } from './tenancy.ts';

export const createPrincipalScope = (
  { tenant, environment }: TenantHost,
  { grants, retentionDays }: Principal,
): Scope => createScope(tenant.name, environment, grants, retentionDays);

/** A computer speaks for units of one bank. */
export const createComputerScope = (
  { tenant, environment }: TenantHost,
  { bankId }: Pick<ComputerPrincipal, 'bankId'>,
): Scope =>
  createScope(tenant.name, environment, { tenantWide: false, banks: new Set([bankId]), locations: new Map() }, null);
