// Finds the service that a KID names.

import type { KidOf } from '../../lib/kid.ts';
import { createFieldProblem } from '../../lib/field-problem.ts';
import type { Scope } from '../../permissions/scope.ts';
import { findServiceIdentity, type ServiceIdentity } from './rules/catalogue.ts';

declare const granted: unique symbol;

/** A service of the catalogue, in the tenant of a scope. */
export type GrantedService = {
  readonly tenant: string;
  readonly serviceId: number;
  readonly identity: ServiceIdentity;
  readonly [granted]: true;
};

/** Throws 400 if no service has the KID. */
export function requireGrantedService({ tenant }: Scope, { serviceId }: KidOf<'service'>): GrantedService {
  const identity = findServiceIdentity(serviceId);
  if (identity === undefined)
    throw createFieldProblem('path.serviceKid', 'must be the KID of a service of this tenant', 'invalid-service-kid');
  return { tenant, serviceId, identity } as GrantedService;
}
