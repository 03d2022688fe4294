// Finds the service that a KID names.

import type { KidOf } from '../../lib/kid.ts';
import { createFieldProblem } from '../../lib/values/field-problem.ts';
import type { WholeTenant } from '../../permissions/coverage.ts';
import type { Scope } from '../../permissions/scope.ts';
import { findServiceIdentity, type ServiceIdentity } from './rules/service-catalogue.ts';

declare const granted: unique symbol;

/** A service in the tenant of a scope. A later version of this API may have stored it. */
export type StoredService = { readonly tenant: string; readonly serviceId: number; readonly [granted]: true };

/** A service of the catalogue. */
export type GrantedService = StoredService & { readonly identity: ServiceIdentity };

/** Throws 400 if no service has the KID. */
export function requireGrantedService({ tenant }: Scope, { serviceId }: KidOf<'service'>): GrantedService {
  const identity = findServiceIdentity(serviceId);
  if (identity === undefined)
    throw createFieldProblem('path.serviceKid', 'must be the KID of a service of this tenant', 'invalid-service-kid');
  return { tenant, serviceId, identity } as GrantedService;
}

/** The service of a stored row. */
export const toStoredService = ({ tenant }: WholeTenant, serviceId: number): StoredService =>
  ({ tenant, serviceId }) as StoredService;
